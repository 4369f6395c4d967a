import type { ApiToken } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { queryKey } from '../../api/keys.ts';
import { dayText } from '../../lang/locale.ts';
import { IconButton } from '../../ui/basics/button.tsx';
import { exactTime } from '../../ui/time/time.ts';
import { Ago } from '../../ui/time/times.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { isLimited, tokenSummary } from './token-values.ts';
import css from './users.module.css';

/** When a token stops working. */
export const Expiry = ({ token: { expires_at, expired } }: { token: ApiToken }) => {
  const { t } = useTranslation();
  if (expires_at === null) return <span className={css.used}>{t('tokens.never')}</span>;
  return (
    <time className={expired ? css.expired : css.used} dateTime={expires_at} title={exactTime(expires_at)}>
      {expired ? t('tokens.expired') : t('tokens.expires', { when: dayText(new Date(expires_at)) })}
    </time>
  );
};

/** When and from where a token was last used. */
export const LastUse = ({ token: { last_used, last_address } }: { token: ApiToken }) => {
  const { t } = useTranslation();
  if (last_used === null) return <span className={css.used}>{t('tokens.unused')}</span>;
  return (
    <span className={css.used}>
      <Ago at={last_used} /> {last_address === '' ? '' : t('tokens.usedFrom', { address: last_address })}
    </span>
  );
};

interface TokenListProps<T extends ApiToken> {
  tokens: readonly T[];
  revoke: (token: T) => Promise<unknown>;
}

const TokenRow = <T extends ApiToken>({
  token,
  revoke: send,
}: {
  token: T;
  revoke: (token: T) => Promise<unknown>;
}) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => send(token),
    onSuccess: async () => {
      showToast('ok', t('tokens.revoked', { name: token.name }));
      await client.invalidateQueries({ queryKey: queryKey.tokens });
    },
    onError: (error) => showToast('error', errorText(error)),
  });
  const summary = tokenSummary(token, t);
  return (
    <li className={css.token}>
      <span className={css.tokenName}>
        <span className="cut" title={`${token.name} ${token.prefix}…`}>
          {token.name} <code>{token.prefix}…</code>
        </span>
        {isLimited(token) ? (
          <span className={`cut ${css.used}`} title={summary}>
            {summary}
          </span>
        ) : null}
      </span>
      <Expiry token={token} />
      <LastUse token={token} />
      <IconButton
        icon="trash"
        label={t('tokens.revoke', { name: token.name })}
        disabled={revoke.isPending}
        onClick={() => revoke.mutate()}
      />
    </li>
  );
};

/** API tokens of one user: what each may do, when it expires and when it was last used. */
export const TokenList = <T extends ApiToken>({ tokens, revoke }: TokenListProps<T>) => (
  <ul>
    {tokens.map((token) => (
      <TokenRow key={token.id} token={token} revoke={revoke} />
    ))}
  </ul>
);
