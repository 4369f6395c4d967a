import { Select, TextInput } from '@mantine/core';
import type { ApiToken } from '@signalbox/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { tokensQuery } from '../../api/queries.ts';
import { dayText } from '../../lang/locale.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button, IconButton } from '../../ui/basics/button.tsx';
import { exactTime } from '../../ui/time/time.ts';
import { Ago } from '../../ui/time/times.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { CurrentPassword } from './current-password.tsx';
import css from './users.module.css';

/** Days after which a new token can expire. */
const LIFETIMES = [30, 90, 365];
const DAY_MS = 86_400_000;

/** When a token stops working. */
const Expiry = ({ token: { expires_at, expired } }: { token: ApiToken }) => {
  const { t } = useTranslation();
  if (expires_at === null) return <span className={css.used}>{t('tokens.never')}</span>;
  return (
    <time className={expired ? css.expired : css.used} dateTime={expires_at} title={exactTime(expires_at)}>
      {expired ? t('tokens.expired') : t('tokens.expires', { when: dayText(new Date(expires_at)) })}
    </time>
  );
};

const TokenRow = ({ token }: { token: ApiToken }) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call('deleteToken', { params: { token_id: token.id } }),
    onSuccess: async () => {
      showToast('ok', t('tokens.revoked', { name: token.name }));
      await client.invalidateQueries({ queryKey: queryKey.tokens });
    },
    onError: (error) => showToast('error', errorText(error)),
  });
  return (
    <li className={css.token}>
      <span className="grow cut" title={`${token.name} ${token.prefix}…`}>
        {token.name} <code>{token.prefix}…</code>
      </span>
      <Expiry token={token} />
      <span className={css.used}>{token.last_used === null ? t('tokens.unused') : <Ago at={token.last_used} />}</span>
      <IconButton
        icon="trash"
        label={t('tokens.revoke', { name: token.name })}
        disabled={revoke.isPending}
        onClick={() => revoke.mutate()}
      />
    </li>
  );
};

/** The API tokens of the signed-in user. A new token is shown once. */
export const Tokens = () => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data = [] } = useQuery(tokensQuery());
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  /** Days until the new token expires; empty for never. */
  const [days, setDays] = useState('');
  const create = useMutation({
    mutationFn: (given: string) => {
      const proof = given === '' ? {} : { current_password: given };
      const expiry = days === '' ? {} : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
      return call('createToken', { body: { name: name.trim() || t('tokens.unnamed'), ...expiry, ...proof } });
    },
    onSuccess: async () => {
      setName('');
      setPassword('');
      setDays('');
      await client.invalidateQueries({ queryKey: queryKey.tokens });
    },
  });
  const refusal = create.error instanceof ApiError ? create.error.fields.current_password : undefined;
  /** Whether the server has asked for the password, because the sign-in is too old to create a token without it. */
  const [asksPassword, setAsksPassword] = useState(false);
  if (refusal !== undefined && !asksPassword) setAsksPassword(true);
  const createOnEnter = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return;
    // Enter must not submit the outer form.
    event.preventDefault();
    create.mutate(password);
  };
  return (
    <section className={css.tokens} aria-label={t('tokens.title')}>
      <h3>{t('tokens.title')}</h3>
      <p className={css.help}>{t('tokens.help')}</p>
      {create.error && refusal === undefined ? <Alert colour="error">{errorText(create.error)}</Alert> : null}
      {create.data ? (
        <Alert colour="ok">
          {t('tokens.once')} <code className={css.shown}>{create.data.token}</code>
        </Alert>
      ) : null}
      <ul>
        {data.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </ul>
      {asksPassword ? (
        <CurrentPassword
          autoFocus
          description={t('tokens.password')}
          value={password}
          error={create.variables ? refusal : undefined}
          onChange={(event) => setPassword(event.currentTarget.value)}
          onKeyDown={createOnEnter}
        />
      ) : null}
      <div className={css.newToken}>
        <TextInput
          aria-label={t('tokens.name')}
          placeholder={t('tokens.name')}
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={createOnEnter}
        />
        <Select
          aria-label={t('tokens.expiry')}
          data={[
            { value: '', label: t('tokens.noExpiry') },
            ...LIFETIMES.map((count) => ({ value: String(count), label: t('tokens.days', { count }) })),
          ]}
          allowDeselect={false}
          value={days}
          onChange={(value) => setDays(value ?? '')}
        />
        <Button icon="plus" busy={create.isPending} onClick={() => create.mutate(password)}>
          {t('tokens.create')}
        </Button>
      </div>
    </section>
  );
};
