import type { OwnedApiToken } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { allTokensQuery } from '../../api/queries.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { IconButton } from '../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { arrange, type ListState } from '../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../ui/lists/list-table.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import table from '../../ui/lists/table.module.css';
import { showToast } from '../../ui/toast/toast-store.ts';
import { Expiry, LastUse } from './token-list.tsx';
import { tokenSummary } from './token-values.ts';
import css from './users.module.css';

const PAGE_SIZE = 20;

const timeOf = (moment: string | null): number => (moment === null ? Number.POSITIVE_INFINITY : Date.parse(moment));

const useColumns = (): ShownColumn<OwnedApiToken>[] => {
  const { t } = useTranslation();
  return [
    {
      id: 'name',
      title: 'column.name',
      text: ({ name }) => name,
      cell: ({ name, prefix }) => (
        <span className={table.cell}>
          <span className="cut" title={`${name} ${prefix}…`}>
            {name} <code className={css.prefix}>{prefix}…</code>
          </span>
        </span>
      ),
    },
    {
      id: 'username',
      title: 'tokens.owner',
      text: ({ username }) => username,
      cell: ({ username, service }) => (
        <span className={table.cell}>
          <span className="cut">{username}</span>
          {service ? <span className={css.chip}>{t('users.serviceChip')}</span> : null}
        </span>
      ),
      width: '24%',
    },
    { id: 'scopes', title: 'tokens.scope', text: (token) => tokenSummary(token, t), wraps: true, width: '20%' },
    {
      id: 'last_used',
      title: 'tokens.lastUse',
      text: ({ last_address }) => last_address,
      order: ({ last_used }) => (last_used === null ? 0 : Date.parse(last_used)),
      cell: (token) => <LastUse token={token} />,
      wraps: true,
      width: '14%',
    },
    {
      id: 'expires_at',
      title: 'tokens.expiresColumn',
      text: ({ expires_at }) => expires_at ?? '',
      order: ({ expires_at }) => timeOf(expires_at),
      cell: (token) => <Expiry token={token} />,
      width: '13%',
    },
  ];
};

/** The token to revoke. */
interface Revoked {
  readonly id: number;
  readonly name: string;
  readonly username: string;
}

interface TokensPageProps {
  /** Link back to the project. */
  back: ReactNode;
  state: ListState;
  onState: (change: ListState) => void;
}

/** The API tokens of all users, for administrators, who can revoke any of them. */
export const TokensPage = ({ back, state, onState }: TokensPageProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useQuery(allTokensQuery());
  const columns = useColumns();
  const [page, setPage] = useState(0);
  const { deletion, ask, confirm, close } = useDeletion<Revoked>({
    remove: ({ id }) => call('revokeToken', { params: { token_number: id } }),
    onRemoved: async ({ name }) => {
      showToast('ok', t('tokens.revoked', { name }));
      await client.invalidateQueries({ queryKey: queryKey.tokens });
    },
    onRefused: (text) => showToast('error', text),
  });
  const rows = query.data && arrange(query.data, columns, state);
  const last = Math.max(0, Math.ceil((rows?.length ?? 0) / PAGE_SIZE) - 1);
  const at = Math.min(page, last);
  return (
    <>
      <ListPage
        title={t('tokens.title')}
        before={back}
        filter={t('tokens.filter')}
        count={query.data?.length}
        shown={rows?.length ?? 0}
        pager={<Pager page={at} size={PAGE_SIZE} count={rows?.length ?? 0} more={false} onPage={setPage} />}
        state={state}
        onState={onState}
        error={query.error ? errorText(query.error) : undefined}
        onRetry={() => void query.refetch()}
        emptyTitle={t('tokens.title')}
        emptyText={t('tokens.emptyText')}
      >
        <ListTable
          label={t('tokens.title')}
          columns={columns}
          rows={rows?.slice(at * PAGE_SIZE, (at + 1) * PAGE_SIZE)}
          keyOf={({ number }) => number}
          state={state}
          onState={onState}
          actions={({ number, name, username }) => (
            <IconButton
              icon="trash"
              label={t('tokens.revoke', { name })}
              onClick={() => ask({ id: number, name, username })}
            />
          )}
        />
      </ListPage>
      {deletion ? (
        <ConfirmDialog
          title={t('tokens.revokeTitle')}
          which={deletion.item.name}
          action={t('tokens.revokeAction')}
          isBusy={confirm.isPending}
          onConfirm={() => confirm.mutate(deletion.item)}
          onClose={close}
        >
          <p>{t('tokens.revokeText', { user: deletion.item.username })}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
