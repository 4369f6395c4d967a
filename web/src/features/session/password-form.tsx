import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { PasswordField, TextField } from '../../ui/forms/text-field.tsx';

/** State of the last request: in progress, or refused with a reason. */
type Progress = { busy: boolean; error?: unknown };

interface PasswordFormProps {
  onSignedIn: () => void;
  /** Called when the password is correct and the server asks for a code. */
  onCode: () => void;
  name?: string;
  /** Why the user has to sign in again. */
  reason?: string | undefined;
}

/** Sign-in form for name and password. Uses only what the sign-in page loads. */
export const PasswordForm = ({ onSignedIn, onCode, name = '', reason }: PasswordFormProps) => {
  const { t } = useTranslation();
  const [values, setValues] = useState({ auth: name, password: '' });
  const [isTried, setTried] = useState(false);
  const [{ busy, error }, setProgress] = useState<Progress>({ busy: false });
  const lacks = { auth: values.auth.trim() === '', password: values.password === '' };
  const send = async () => {
    setProgress({ busy: true });
    try {
      await call('signIn', { body: values });
      onSignedIn();
    } catch (refused) {
      if (refused instanceof ApiError && refused.answer.code === 'second_factor_needed') return onCode();
      setProgress({ busy: false, error: refused });
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    setTried(true);
    const first = lacks.auth ? 'auth' : lacks.password ? 'password' : undefined;
    if (first === undefined) void send();
    else event.currentTarget.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };
  const field = (key: keyof typeof values, missing: string) => ({
    name: key,
    value: values[key],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setValues((before) => ({ ...before, [key]: value })),
    error: isTried && lacks[key] ? missing : null,
  });
  const wrong = error instanceof ApiError && error.status === 401;
  const refusal = wrong ? t('signIn.wrong') : errorText(error);
  const message = error === undefined ? (busy ? undefined : reason) : refusal;
  return (
    <form onSubmit={submit} noValidate>
      {message === undefined ? null : <Alert colour="error">{message}</Alert>}
      <TextField
        label={t('signIn.name')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={name === ''}
        data-autofocus={name === '' || undefined}
        {...field('auth', t('signIn.nameRequired'))}
      />
      <PasswordField
        label={t('signIn.password')}
        autoComplete="current-password"
        data-autofocus={name === '' ? undefined : true}
        toggleLabel={t('signIn.show')}
        {...field('password', t('signIn.passwordRequired'))}
      />
      <Button type="submit" variant="primary" wide busy={busy}>
        {t('signIn.submit')}
      </Button>
    </form>
  );
};
