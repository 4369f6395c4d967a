import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import css from './sign-in.module.css';

interface CodeFormProps {
  onSignedIn: () => void;
  /** Returns to the password form, with the server's reason if there is one. */
  onAgain: (why?: string) => void;
}

/** Labels and input attributes of each kind of code. */
const KINDS = {
  app: {
    text: 'signIn.codeText',
    label: 'signIn.code',
    other: 'signIn.useRecovery',
    field: { inputMode: 'numeric', autoComplete: 'one-time-code' },
  },
  recovery: {
    text: 'signIn.recoveryText',
    label: 'signIn.recoveryCode',
    other: 'signIn.useApp',
    field: { inputMode: 'text', autoComplete: 'off' },
  },
} as const;

/** Second step of signing in: a code from the authenticator app, or a recovery code. */
export const CodeForm = ({ onSignedIn, onAgain }: CodeFormProps) => {
  const { t } = useTranslation();
  const [kind, setKind] = useState<keyof typeof KINDS>('app');
  const [code, setCode] = useState('');
  const [isTried, setTried] = useState(false);
  const [{ busy, error }, setProgress] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const { text, label, other, field } = KINDS[kind];
  const isMissing = code.trim() === '';
  const form = useRef<HTMLFormElement>(null);
  // The next input clears the error.
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector('input')?.select();
  }, [error]);
  const send = async () => {
    setProgress({ busy: true });
    try {
      await call('enterSecondFactor', { body: { code } });
      onSignedIn();
    } catch (refused) {
      if (refused instanceof ApiError && refused.kind === 'not_signed_in') onAgain(errorText(refused));
      else setProgress({ busy: false, error: refused });
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    setTried(true);
    if (isMissing) event.currentTarget.querySelector('input')?.focus();
    else void send();
  };
  const change = () => {
    setKind(kind === 'app' ? 'recovery' : 'app');
    setCode('');
    setTried(false);
    setProgress({ busy: false });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {error === undefined ? null : <Alert colour="error">{errorText(error)}</Alert>}
      <p className={css.step}>{t(text)}</p>
      <TextField
        key={kind}
        name="code"
        label={t(label)}
        {...field}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        data-autofocus
        value={code}
        onChange={({ currentTarget: { value } }) => setCode(value)}
        error={isTried && isMissing ? t('signIn.codeRequired') : null}
      />
      <Button type="submit" variant="primary" wide busy={busy}>
        {t('signIn.submit')}
      </Button>
      <div className={css.others}>
        <Button variant="quiet" onClick={change}>
          {t(other)}
        </Button>
        <Button variant="quiet" onClick={() => onAgain()}>
          {t('signIn.startAgain')}
        </Button>
      </div>
    </form>
  );
};
