import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { User } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { userQuery } from '../../api/queries.ts';
import { useSaving } from '../../api/use-saving.ts';
import { FieldRow, FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { PasswordInput } from '../../ui/forms/password-input.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../ui/toast/toast-store.ts';
import { CurrentPassword } from './current-password.tsx';
import { MIN_PASSWORD, newUserValues, type UserValues, userBody, userProblems } from './user-values.ts';
import css from './users.module.css';

export interface UserDialogProps {
  title: string;
  /** The user to change; undefined for a new user. */
  user: User | undefined;
  /** Additional content of the account dialog. */
  children?: ReactNode;
  onClose: () => void;
}

/** Form of a user. Administrators can change all fields, users some fields of their own account. */
export const UserDialog = ({ title, user, children, onClose }: UserDialogProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: me } = useQuery(userQuery());
  const isNew = user === undefined;
  const isExternal = user?.external ?? false;
  const isAdmin = me?.admin ?? false;
  /** A new email address of the user's own account requires the current password. */
  const asksCurrent = ({ email }: UserValues) =>
    !isNew && !isExternal && user.id === me?.id && email.trim() !== user.email;
  const form = useForm<UserValues>({
    initialValues: newUserValues(user),
    validate: (values) =>
      Object.fromEntries(
        Object.entries(userProblems(values, { isNew, asksCurrent: asksCurrent(values) })).flatMap(([field, key]) =>
          key ? [[field, t(key, { min: MIN_PASSWORD })]] : [],
        ),
      ),
  });
  useTranslatedErrors(form);
  const saving = useSaving<UserValues>({
    send: (values) => {
      const body = userBody(values, { isAdmin, isExternal, isNew });
      if (isNew && values.service) return call('createServiceAccount', { body });
      return isNew ? call('createUser', { body }) : call('updateUser', { params: { user_id: user.id }, body });
    },
    stale: queryKey.users,
    onSaved: ({ name }) => {
      if (user?.id === me?.id) void client.invalidateQueries({ queryKey: queryKey.user });
      showToast('ok', t(isNew ? 'users.created' : 'users.saved', { name: name.trim() }));
      onClose();
    },
    onFields: (fields) => form.setErrors(fields),
  });
  return (
    <FormDialog
      title={title}
      which={user?.name}
      width={560}
      error={saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('users.save')}
      remark={isExternal ? t('users.externalHelp') : undefined}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      <FieldRow>
        <TextInput label={t('users.name')} maxLength={255} data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label={t('users.username')}
          maxLength={255}
          autoComplete="off"
          disabled={isExternal}
          {...form.getInputProps('username')}
        />
      </FieldRow>
      {isNew && isAdmin ? (
        <Checkbox
          className={css.vouch ?? ''}
          label={t('users.service')}
          description={t('users.serviceHelp')}
          {...form.getInputProps('service', { type: 'checkbox' })}
        />
      ) : null}
      {form.values.service ? null : (
        <TextInput
          label={t('users.email')}
          type="email"
          maxLength={255}
          disabled={isExternal}
          {...form.getInputProps('email')}
        />
      )}
      {isAdmin && user?.email_proven === false && form.values.email.trim() === user.email ? (
        <Checkbox
          className={css.vouch ?? ''}
          label={t('emailConfirmation.vouch')}
          description={t('emailConfirmation.vouchHelp')}
          {...form.getInputProps('email_proven', { type: 'checkbox' })}
        />
      ) : null}
      {asksCurrent(form.values) ? <CurrentPassword {...form.getInputProps('current_password')} /> : null}
      {isNew && !form.values.service ? (
        <PasswordInput label={t('users.password')} autoComplete="new-password" {...form.getInputProps('password')} />
      ) : null}
      <div className={css.checks}>
        {form.values.service ? null : (
          <Checkbox label={t('users.alert')} {...form.getInputProps('alert', { type: 'checkbox' })} />
        )}
        {isAdmin ? (
          <>
            <Checkbox label={t('users.admin')} {...form.getInputProps('admin', { type: 'checkbox' })} />
            <Checkbox
              label={t('users.canCreate')}
              disabled={form.values.admin}
              {...form.getInputProps('can_create_project', { type: 'checkbox' })}
            />
          </>
        ) : null}
      </div>
      {children}
    </FormDialog>
  );
};
