import { PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';

/** Signing in with a name and a password. */
export const PasswordForm = ({ onSignedIn, name = '' }: { onSignedIn: () => void; name?: string }) => {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: { auth: name, password: '' },
    validate: {
      auth: (value) => (value.trim() === '' ? t('signIn.nameRequired') : null),
      password: (value) => (value === '' ? t('signIn.passwordRequired') : null),
    },
  });
  const signIn = useMutation({
    mutationFn: (body: { auth: string; password: string }) => call('signIn', { body }),
    onSuccess: onSignedIn,
  });
  const wrong = signIn.error instanceof ApiError && signIn.error.status === 401;
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))} noValidate>
      {signIn.error ? <Alert lamp="error">{wrong ? t('signIn.wrong') : errorText(signIn.error)}</Alert> : null}
      <TextInput
        label={t('signIn.name')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={name === ''}
        data-autofocus={name === '' || undefined}
        {...form.getInputProps('auth')}
      />
      <PasswordInput
        label={t('signIn.password')}
        autoComplete="current-password"
        data-autofocus={name === '' ? undefined : true}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
        {...form.getInputProps('password')}
      />
      <Button type="submit" look="primary" wide busy={signIn.isPending}>
        {t('signIn.submit')}
      </Button>
    </form>
  );
};
