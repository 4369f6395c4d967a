import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { User } from '@signalbox/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { useSaving } from '../../api/use-saving.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { snack } from '../../ui/snackbar-store.ts';
import { useSpokenErrors } from '../../ui/use-spoken-errors.ts';
import { examplePassword } from './user-values.ts';
import css from './users.module.css';

/** Another password. Every other session of that user ends. */
export const PasswordDialog = ({ user, onClose }: { user: Pick<User, 'id' | 'name'>; onClose: () => void }) => {
  const { t } = useTranslation();
  const [example] = useState(examplePassword);
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? t('users.passwordRequired') : null) },
  });
  useSpokenErrors(form);
  const saving = useSaving<{ password: string }>({
    send: (body) => call('changePassword', { params: { user_id: user.id }, body }),
    stale: queryKey.user,
    onSaved: () => {
      snack('ok', t('users.passwordChanged'));
      onClose();
    },
    onFields: (fields) => form.setErrors(fields),
  });
  return (
    <FormDialog
      title={t('users.changePassword')}
      which={user.name}
      width={480}
      error={saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('users.passwordSave')}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      <PasswordInput
        label={t('users.newPassword')}
        autoComplete="new-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
      <p className={css.example}>
        {t('users.example')} <code>{example}</code>{' '}
        <button type="button" className={css.take} onClick={() => form.setFieldValue('password', example)}>
          {t('users.take')}
        </button>
      </p>
      <p className={css.help}>{t('users.passwordHelp')}</p>
    </FormDialog>
  );
};
