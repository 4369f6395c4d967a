import { TextInput } from '@mantine/core';
import type { SecondFactorSecret } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { CurrentPassword } from './current-password.tsx';
import { RecoveryCodes, type ShownCodes } from './recovery-codes.tsx';
import css from './second-factor.module.css';

const QrCode = lazyPart(() => import('./qr-code.tsx'), 'QrCode');

interface StepProps {
  /** Label of the button. */
  action: string;
  field: 'current_password' | 'code';
  missing: string;
  /** Why the user starts again. */
  before?: string | undefined;
  send: (value: string) => Promise<unknown>;
  children: (input: { value: string; error: string | null; onChange: (value: string) => void }) => ReactNode;
}

/** One field with its button. Errors of the server are shown at the field. */
const Step = ({ action, field, missing, before, send, children }: StepProps) => {
  const [value, setValue] = useState('');
  const [isTried, setTried] = useState(false);
  const { mutate, error, isPending } = useMutation({ mutationFn: () => send(value) });
  const ofField = error instanceof ApiError ? error.fields[field] : undefined;
  const message = error ? (ofField === undefined ? errorText(error) : undefined) : before;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    setTried(true);
    if (value.trim() === '') event.currentTarget.querySelector('input')?.focus();
    else mutate();
  };
  return (
    <form className={css.step} onSubmit={submit} noValidate>
      {message === undefined ? null : <Alert colour="error">{message}</Alert>}
      {children({ value, onChange: setValue, error: ofField ?? (isTried && value.trim() === '' ? missing : null) })}
      <Button type="submit" variant="primary" busy={isPending}>
        {action}
      </Button>
    </form>
  );
};

/** A secret in groups of characters, which are easier to read. It is typed without the spaces. */
const inGroups = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(' ');

interface SecondFactorSetupProps {
  shown: ShownCodes;
  onDone: () => void;
}

/** Sets up the user's second factor in steps: password, secret, first code, recovery codes. */
export const SecondFactorSetup = ({ shown, onDone }: SecondFactorSetupProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [secret, setSecret] = useState<SecondFactorSecret>();
  /** Why the started setup is no longer valid. */
  const [over, setOver] = useState<ApiError>();
  const begin = async (current_password: string) =>
    setSecret(await call('beginSecondFactor', { body: { current_password } }));
  const confirm = async (code: string) => {
    try {
      const { recovery_codes } = await call('confirmSecondFactor', { body: { code } });
      shown.show(recovery_codes);
    } catch (refused) {
      if (!(refused instanceof ApiError) || refused.kind !== 'conflict') throw refused;
      setOver(refused);
      setSecret(undefined);
    }
    await Promise.all(
      [queryKey.secondFactor, queryKey.user, queryKey.users].map((key) => client.invalidateQueries({ queryKey: key })),
    );
  };
  if (shown.codes) return <RecoveryCodes shown={shown} onDone={onDone} />;
  if (secret) {
    return (
      <Step key="code" action={t('secondFactor.turnOn')} field="code" missing={t('signIn.codeRequired')} send={confirm}>
        {({ value, onChange, error: wrong }) => (
          <>
            <p>{t('secondFactor.scanText')}</p>
            <Suspense fallback={<div className={css.qr} aria-busy="true" />}>
              <QrCode className={css.qr} text={secret.uri} label={t('secondFactor.qr')} />
            </Suspense>
            <p>
              {t('secondFactor.typeText')} <code className={css.secret}>{inGroups(secret.secret)}</code>
            </p>
            <TextInput
              label={t('secondFactor.firstCode')}
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              data-autofocus
              value={value}
              error={wrong}
              onChange={(event) => onChange(event.currentTarget.value)}
            />
          </>
        )}
      </Step>
    );
  }
  return (
    <Step
      key="password"
      action={t('secondFactor.goOn')}
      field="current_password"
      missing={t('signIn.passwordRequired')}
      before={over && errorText(over)}
      send={begin}
    >
      {({ value, onChange, error: wrong }) => (
        <CurrentPassword
          data-autofocus
          value={value}
          error={wrong}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Step>
  );
};
