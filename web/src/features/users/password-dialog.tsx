import { Checkbox } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { User } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { userQuery } from '../../api/queries.ts';
import { useSaving } from '../../api/use-saving.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { PasswordInput } from '../../ui/forms/password-input.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../ui/toast/toast-store.ts';
import { CurrentPassword } from './current-password.tsx';
import { examplePassword, MIN_PASSWORD } from './user-values.ts';
import css from './users.module.css';

interface Values {
  current_password: string;
  password: string;
  end_tokens: boolean;
}

/** Dialog that changes a password. It ends all other sessions of the user. */
export const PasswordDialog = ({ user, onClose }: { user: Pick<User, 'id' | 'name'>; onClose: () => void }) => {
  const { t } = useTranslation();
  const [example] = useState(examplePassword);
  const { data: me } = useQuery(userQuery());
  /** Admins without a password on this server need a recent sign-in instead. */
  const asksCurrent = me?.external !== true;
  const form = useForm<Values>({
    initialValues: { current_password: '', password: '', end_tokens: true },
    validate: {
      current_password: (value) => (asksCurrent && value === '' ? t('signIn.passwordRequired') : null),
      password: (value) => {
        if (value === '') return t('users.passwordRequired');
        return [...value].length < MIN_PASSWORD ? t('users.passwordShort', { min: MIN_PASSWORD }) : null;
      },
    },
  });
  useTranslatedErrors(form);
  const saving = useSaving<Values>({
    send: ({ current_password, ...values }) => {
      const body = { ...values, ...(asksCurrent ? { current_password } : {}) };
      return call('changePassword', { params: { user_id: user.id }, body });
    },
    stale: queryKey.user,
    onSaved: () => {
      showToast('ok', t('users.passwordChanged'));
      onClose();
    },
    onFields: (fields) => form.setErrors(fields),
  });
  const isAtField = saving.error instanceof ApiError && Object.keys(saving.error.fields).length > 0;
  return (
    <FormDialog
      title={t('users.changePassword')}
      which={user.name}
      width={480}
      error={saving.error && !isAtField ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('users.passwordSave')}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      {asksCurrent ? <CurrentPassword data-autofocus {...form.getInputProps('current_password')} /> : null}
      <PasswordInput
        label={t('users.newPassword')}
        autoComplete="new-password"
        data-autofocus={asksCurrent ? undefined : true}
        {...form.getInputProps('password')}
      />
      <p className={css.example}>
        {t('users.example')} <code>{example}</code>{' '}
        <button type="button" className={css.take} onClick={() => form.setFieldValue('password', example)}>
          {t('users.take')}
        </button>
      </p>
      <Checkbox label={t('users.endTokens')} {...form.getInputProps('end_tokens', { type: 'checkbox' })} />
      <p className={css.help}>{t('users.passwordHelp')}</p>
    </FormDialog>
  );
};
