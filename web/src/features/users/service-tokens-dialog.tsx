import type { User } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allTokensQuery } from '../../api/queries.ts';
import { Button } from '../../ui/basics/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { NewToken } from './new-token.tsx';
import { TokenList } from './token-list.tsx';
import css from './users.module.css';

/** The API tokens of a service account, for administrators. */
export const ServiceTokensDialog = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const { t } = useTranslation();
  const { data = [] } = useQuery(allTokensQuery());
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('tokens.title')}
      which={user.name}
      footer={
        <>
          <span className={css.rest} />
          <Button onClick={onClose}>{t('action.close')}</Button>
        </>
      }
    >
      <div className={`${css.tokens} ${css.alone}`}>
        <p className={css.help}>{t('tokens.serviceHelp')}</p>
        <TokenList
          tokens={data.filter(({ user_id }) => user_id === user.id)}
          revoke={({ number }) => call('revokeToken', { params: { token_number: number } })}
        />
        <NewToken
          isAdmin={user.admin ?? false}
          create={(body) => call('createServiceToken', { params: { user_id: user.id }, body })}
        />
      </div>
    </Dialog>
  );
};
