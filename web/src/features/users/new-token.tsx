import type { ApiToken, BodyInput, RouteTable } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../api/api-error.ts';
import { queryKey } from '../../api/keys.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { CurrentPassword } from './current-password.tsx';
import { TokenFields } from './token-fields.tsx';
import { NEW_TOKEN, tokenBody } from './token-values.ts';
import css from './users.module.css';

/** The token itself, which is shown once. */
const ShownToken = ({ token }: { token: string }) => {
  const { t } = useTranslation();
  const copy = () =>
    navigator.clipboard.writeText(token).then(
      () => showToast('ok', t('tokens.copied')),
      () => showToast('error', t('task.notCopied')),
    );
  return (
    <Alert colour="ok">
      {t('tokens.once')} <code className={css.shown}>{token}</code>
      <Button icon="copy" onClick={() => void copy()}>
        {t('tokens.copy')}
      </Button>
    </Alert>
  );
};

interface NewTokenProps {
  /** Whether the user of the token is a system admin. */
  isAdmin: boolean;
  create: (body: NonNullable<BodyInput<RouteTable['createToken']>>) => Promise<ApiToken & { readonly token: string }>;
}

/** Form of a new API token. The server may ask for the password of the signed-in user. */
export const NewToken = ({ isAdmin, create: send }: NewTokenProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [values, setValues] = useState(NEW_TOKEN);
  const [password, setPassword] = useState('');
  const create = useMutation({
    mutationFn: (given: string) => send({ ...tokenBody(values), ...(given === '' ? {} : { current_password: given }) }),
    onSuccess: async () => {
      setValues(NEW_TOKEN);
      setPassword('');
      await client.invalidateQueries({ queryKey: queryKey.tokens });
    },
  });
  const refusal = create.error instanceof ApiError ? create.error.fields.current_password : undefined;
  /** Whether the server has asked for the password, because the sign-in is too old to create a token without it. */
  const [asksPassword, setAsksPassword] = useState(false);
  if (refusal !== undefined && !asksPassword) setAsksPassword(true);
  const fields = useRef<HTMLDivElement>(null);
  const [isUnnamed, setUnnamed] = useState(false);
  const submit = () => {
    const isMissing = values.name.trim() === '';
    setUnnamed(isMissing);
    if (isMissing) fields.current?.querySelector<HTMLInputElement>('[data-path=name]')?.focus();
    else create.mutate(password);
  };
  const createOnEnter = (event: KeyboardEvent<HTMLElement>) => {
    // Enter must not submit an outer form. In the list of an input it chooses an option.
    const isText = event.target instanceof HTMLInputElement && event.target.getAttribute('aria-haspopup') === null;
    if (event.key !== 'Enter' || !isText) return;
    event.preventDefault();
    submit();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the inputs have the focus
    <div ref={fields} onKeyDown={createOnEnter}>
      {create.error && refusal === undefined ? <Alert colour="error">{errorText(create.error)}</Alert> : null}
      {create.data ? <ShownToken token={create.data.token} /> : null}
      {asksPassword ? (
        <CurrentPassword
          autoFocus
          description={t('tokens.password')}
          value={password}
          error={create.variables ? refusal : undefined}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      ) : null}
      <TokenFields
        values={values}
        isAdmin={isAdmin}
        nameError={isUnnamed ? t('tokens.nameRequired') : undefined}
        onChange={(change) => {
          if (change.name !== undefined) setUnnamed(false);
          setValues((before) => ({ ...before, ...change }));
        }}
      />
      <div className={css.createToken}>
        <Button icon="plus" busy={create.isPending} onClick={submit}>
          {t('tokens.create')}
        </Button>
      </div>
    </div>
  );
};
