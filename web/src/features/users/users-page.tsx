import type { User } from '@signalbox/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { userQuery, usersQuery } from '../../api/queries.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { PersonAvatar } from '../../ui/basics/avatars.tsx';
import { IconButton } from '../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { arrange, type ListState } from '../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../ui/lists/list-table.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import table from '../../ui/lists/table.module.css';
import { showToast } from '../../ui/toast/toast-store.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { ServiceTokensDialog } from './service-tokens-dialog.tsx';
import { UserDialog } from './user-dialog.tsx';
import css from './users.module.css';

const PAGE_SIZE = 20;

/** The email address of a user, with a tag while it is unconfirmed. */
const Address = ({ email = '', email_proven }: User) => {
  const { t } = useTranslation();
  return (
    <span className={`${table.cell} ${css.address}`}>
      <span className="cut" title={email}>
        {email}
      </span>
      {email_proven === false && email !== '' ? (
        <span className={css.unproven} title={t('emailConfirmation.chipHelp')}>
          {t('emailConfirmation.chip')}
        </span>
      ) : null}
    </span>
  );
};

interface UsersPageProps {
  back: ReactNode;
  state: ListState;
  onState: (change: ListState) => void;
}

type Opened =
  | { readonly form: 'user'; readonly user: User | undefined }
  | { readonly form: 'password'; readonly user: User }
  | { readonly form: 'tokens'; readonly user: User }
  | { readonly form: 'reset'; readonly user: User };

/** All users, for administrators. */
export const UsersPage = ({ back, state, onState }: UsersPageProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useQuery(usersQuery());
  const { data: me } = useQuery(userQuery());
  const [opened, setOpened] = useState<Opened>();
  const [page, setPage] = useState(0);
  const { deletion, ask, confirm, close } = useDeletion<User>({
    remove: ({ id }) => call('deleteUser', { params: { user_id: id } }),
    onRemoved: async ({ name }) => {
      showToast('ok', t('users.deleted', { name }));
      await client.invalidateQueries({ queryKey: queryKey.users });
    },
    onRefused: (text) => showToast('error', text),
  });
  const reset = useMutation({
    mutationFn: ({ id }: User) => call('resetSecondFactor', { params: { user_id: id } }),
    onSuccess: async (_, { name }) => {
      showToast('ok', t('secondFactor.resetDone', { name }));
      setOpened(undefined);
      await client.invalidateQueries({ queryKey: queryKey.users });
    },
    onError: (error) => showToast('error', errorText(error)),
  });
  const yes = (is: boolean | undefined) => (is ? t('answer.yes') : '');
  const columns: ShownColumn<User>[] = [
    {
      id: 'name',
      title: 'column.name',
      text: ({ name }) => name,
      cell: ({ name, admin, service }) => (
        <span className={table.cell}>
          <PersonAvatar name={name} />
          <span className="cut" title={name}>
            {name}
          </span>
          {admin ? <span className={css.chip}>{t('users.adminChip')}</span> : null}
          {service ? <span className={css.chip}>{t('users.serviceChip')}</span> : null}
        </span>
      ),
    },
    { id: 'username', title: 'users.username', text: ({ username }) => username, width: '20%' },
    {
      id: 'email',
      title: 'users.email',
      text: ({ email = '' }) => email,
      cell: (user) => <Address {...user} />,
      width: '24%',
    },
    { id: 'external', title: 'users.external', text: ({ external }) => yes(external), width: '10%' },
    {
      id: 'second_factor',
      title: 'secondFactor.title',
      text: ({ second_factor }) => yes(second_factor === 'on'),
      cell: (user) =>
        user.second_factor === 'on' ? (
          <span className={css.factor}>
            {t('answer.yes')}
            {user.id === me?.id ? null : (
              <IconButton
                icon="phone"
                small
                label={t('secondFactor.resetOf', { name: user.name })}
                onClick={() => setOpened({ form: 'reset', user })}
              />
            )}
          </span>
        ) : (
          ''
        ),
      width: '12%',
    },
  ];
  const rows = query.data && arrange(query.data, columns, state);
  const last = Math.max(0, Math.ceil((rows?.length ?? 0) / PAGE_SIZE) - 1);
  const at = Math.min(page, last);
  return (
    <>
      <ListPage
        title={t('users.title')}
        before={back}
        add={t('users.add')}
        onAdd={() => setOpened({ form: 'user', user: undefined })}
        filter={t('users.filter')}
        count={query.data?.length}
        shown={rows?.length ?? 0}
        pager={<Pager page={at} size={PAGE_SIZE} count={rows?.length ?? 0} more={false} onPage={setPage} />}
        state={state}
        onState={onState}
        error={query.error ? errorText(query.error) : undefined}
        onRetry={() => void query.refetch()}
        emptyTitle={t('users.title')}
        emptyText=""
      >
        <ListTable
          label={t('users.title')}
          columns={columns}
          rows={rows?.slice(at * PAGE_SIZE, (at + 1) * PAGE_SIZE)}
          keyOf={({ id }) => id}
          state={state}
          onState={onState}
          actions={(user) => (
            <>
              {user.service ? (
                <IconButton
                  icon="key"
                  label={t('tokens.tokensOf', { name: user.name })}
                  onClick={() => setOpened({ form: 'tokens', user })}
                />
              ) : (
                <IconButton
                  icon="key"
                  label={t('users.passwordOf', { name: user.name })}
                  disabled={user.external ?? false}
                  onClick={() => setOpened({ form: 'password', user })}
                />
              )}
              <IconButton
                icon="edit"
                label={t('list.edit', { name: user.name })}
                onClick={() => setOpened({ form: 'user', user })}
              />
              <IconButton
                icon="trash"
                label={t('list.delete', { name: user.name })}
                disabled={user.id === me?.id}
                onClick={() => ask(user)}
              />
            </>
          )}
        />
      </ListPage>
      {opened?.form === 'user' ? (
        <UserDialog
          title={t(opened.user ? 'users.edit' : 'users.add')}
          user={opened.user}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
      {opened?.form === 'password' ? <PasswordDialog user={opened.user} onClose={() => setOpened(undefined)} /> : null}
      {opened?.form === 'tokens' ? (
        <ServiceTokensDialog user={opened.user} onClose={() => setOpened(undefined)} />
      ) : null}
      {opened?.form === 'reset' ? (
        <ConfirmDialog
          title={t('secondFactor.resetTitle')}
          which={opened.user.name}
          action={t('secondFactor.reset')}
          isBusy={reset.isPending}
          onConfirm={() => reset.mutate(opened.user)}
          onClose={() => setOpened(undefined)}
        >
          <p>{t('secondFactor.resetText', { name: opened.user.name })}</p>
        </ConfirmDialog>
      ) : null}
      {deletion ? (
        <ConfirmDialog
          title={t('users.deleteTitle')}
          which={deletion.item.name}
          action={t('action.delete')}
          isBusy={confirm.isPending}
          onConfirm={() => confirm.mutate(deletion.item)}
          onClose={close}
        >
          <p>{t('users.deleteText', { name: deletion.item.name })}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
