import type { Runner } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { runnersQuery } from '../../api/runner-queries.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { usePageApps } from '../../apps/page-apps.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { IconButton } from '../../ui/basics/button.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { arrange, type ListState } from '../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../ui/lists/list-table.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { NewRunnerDialog } from './new-runner-dialog.tsx';
import { RegistrationTokensButton } from './registration-tokens-button.tsx';
import { isRemovable, RemoveRunnerDialog } from './remove-runner-dialog.tsx';
import { RunnerDialog } from './runner-dialog.tsx';
import { RunnerState, runnerStateText } from './runner-state.tsx';

const useColumns = (): ShownColumn<Runner>[] => {
  const { t } = useTranslation();
  const apps = usePageApps();
  return [
    {
      id: 'name',
      title: 'column.name',
      text: ({ name, description }) => `${name} ${description}`,
      cell: ({ id: runnerId, name, description }) => (
        <Link to="/runners/$runnerId" params={{ runnerId }} title={description || name}>
          {name}
        </Link>
      ),
    },
    {
      id: 'state',
      title: 'column.status',
      text: (row) => runnerStateText(t, row),
      cell: (row) => <RunnerState runner={row} />,
      width: '14%',
    },
    {
      id: 'tasks',
      title: 'runners.tasks',
      text: ({ tasks, slots }) => t('runners.tasksOf', { tasks, slots }),
      order: ({ tasks }) => tasks,
      width: '12%',
    },
    {
      id: 'user',
      title: 'runners.runAs',
      text: (row) => (row.last_contact === null ? '' : (row.run_as ?? t('runners.own'))),
      width: '15%',
    },
    { id: 'version', title: 'column.version', text: ({ version }) => version, width: '10%' },
    {
      id: 'apps',
      title: 'runners.apps',
      text: (row) => row.apps.map(({ name, version }) => `${apps[name]?.title ?? name} ${version}`.trim()).join(', '),
      width: '14%',
    },
    { id: 'tags', title: 'runners.tags', text: ({ tags }) => tags.join(', ') || '–', width: '13%' },
  ];
};

interface RunnersPageProps {
  /** Link back to the project. */
  back: ReactNode;
  state: ListState;
  onState: (change: ListState) => void;
}

/** The runners, for administrators: their state, adding one, removing one. */
export const RunnersPage = ({ back, state, onState }: RunnersPageProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useQuery({ ...runnersQuery(), refetchInterval: 5000 });
  const columns = useColumns();
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<Runner>();
  const { deletion, ask, confirm, close } = useDeletion<Runner>({
    remove: ({ id }) => call('deleteRunner', { params: { runner_id: id } }),
    onRemoved: async ({ name }) => {
      showToast('ok', t('runners.removed', { name }));
      await client.invalidateQueries({ queryKey: queryKey.runners });
    },
    onRefused: (text) => showToast('error', text),
  });
  const rows = query.data && arrange(query.data, columns, state);
  return (
    <>
      <ListPage
        title={t('runners.title')}
        before={back}
        extra={<RegistrationTokensButton />}
        add={t('runners.add')}
        onAdd={() => setAdding(true)}
        filter={t('runners.filter')}
        count={query.data?.length}
        shown={rows?.length ?? 0}
        state={state}
        onState={onState}
        error={query.error ? errorText(query.error) : undefined}
        onRetry={() => void query.refetch()}
        emptyTitle={t('runners.emptyTitle')}
        emptyText={t('runners.emptyText')}
      >
        {query.data
          ?.filter(({ duplicate_seen }) => duplicate_seen !== null)
          .map(({ id, name }) => (
            <Alert key={id} colour="stop">
              {t('runners.duplicate', { name })}
            </Alert>
          ))}
        <ListTable
          label={t('runners.title')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          state={state}
          onState={onState}
          actions={(row) => (
            <>
              <IconButton icon="edit" label={t('runners.edit', { name: row.name })} onClick={() => setEdited(row)} />
              {isRemovable(row) ? (
                <IconButton icon="trash" label={t('runners.remove', { name: row.name })} onClick={() => ask(row)} />
              ) : null}
            </>
          )}
        />
      </ListPage>
      {isAdding ? <NewRunnerDialog onClose={() => setAdding(false)} /> : null}
      {edited ? <RunnerDialog runner={edited} onClose={() => setEdited(undefined)} /> : null}
      {deletion ? (
        <RemoveRunnerDialog
          runner={deletion.item}
          isBusy={confirm.isPending}
          onConfirm={() => confirm.mutate(deletion.item)}
          onClose={close}
        />
      ) : null}
    </>
  );
};
