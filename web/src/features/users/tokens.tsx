import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { tokensQuery, userQuery } from '../../api/queries.ts';
import { NewToken } from './new-token.tsx';
import { TokenList } from './token-list.tsx';
import css from './users.module.css';

/** The API tokens of the signed-in user. A new token is shown once. */
export const Tokens = () => {
  const { t } = useTranslation();
  const { data = [] } = useQuery(tokensQuery());
  const { data: me } = useQuery(userQuery());
  return (
    <section className={css.tokens} aria-label={t('tokens.title')}>
      <h3>{t('tokens.title')}</h3>
      <p className={css.help}>{t('tokens.help')}</p>
      <TokenList tokens={data} revoke={({ id }) => call('deleteToken', { params: { token_id: id } })} />
      <NewToken isAdmin={me?.admin ?? false} create={(body) => call('createToken', { body })} />
    </section>
  );
};
