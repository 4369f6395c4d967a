import { MAX_ACTIVE_TASKS, MAX_SELECTED } from 'virtual:routes';
import type { ActiveTask } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { activeTasksQuery, userQuery } from '../../../api/queries.ts';
import { useSelected } from '../../../api/use-selected.ts';
import { Button, buttonClass } from '../../../ui/basics/button.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import { RefusedDialog } from '../../../ui/dialogs/refused-dialog.tsx';
import { ListPage } from '../../../ui/lists/list-page.tsx';
import { arrange, type ListState } from '../../../ui/lists/list-state.ts';
import { ListTable } from '../../../ui/lists/list-table.tsx';
import { SelectionBar } from '../../../ui/lists/selection-bar.tsx';
import { useSelection } from '../../../ui/lists/use-selection.ts';
import { StopButton } from '../stop-button.tsx';
import { activeColumns } from './active-columns.tsx';
import css from './active-tasks.module.css';

interface ActiveTasksPageProps {
  back: ReactNode;
  state: ListState;
  onState: (change: ListState) => void;
}

const nameOf = ({ id, tpl_alias }: Pick<ActiveTask, 'id' | 'tpl_alias'>): string => `#${id} ${tpl_alias}`;

/** The link to the page on which the user may approve a task, and the button that stops it. */
const Actions = ({ task }: { task: ActiveTask }) => {
  const { t } = useTranslation();
  const { project_id: projectId, id: taskId, may_approve, may_stop } = task;
  return (
    <span className={css.actions}>
      {may_approve ? (
        <Link
          className={buttonClass('outline', true)}
          to="/project/$projectId/tasks/$taskId"
          params={{ projectId, taskId }}
          search={{}}
          aria-label={`${t('activeTasks.approve')} ${nameOf(task)}`}
        >
          <Icon name="check" />
          {t('activeTasks.approve')}
        </Link>
      ) : null}
      {may_stop ? <StopButton task={task} small /> : null}
    </span>
  );
};

/** The tasks of all projects of the user that wait or run. */
export const ActiveTasksPage = ({ back, state, onState }: ActiveTasksPageProps) => {
  const { t } = useTranslation();
  const query = useQuery(activeTasksQuery());
  const { data: user } = useQuery(userQuery());
  const columns = activeColumns(user?.admin ?? false);
  const rows = query.data && arrange(query.data, columns, state);
  const stoppable = (rows ?? []).filter(({ may_stop }) => may_stop);
  const selection = useSelection(
    stoppable.map(({ id }) => id),
    MAX_SELECTED,
  );
  const { act, isBusy, result, close } = useSelected(selection.clear);
  const isStopping = (id: number): boolean => rows?.find((task) => task.id === id)?.status === 'stopping';
  const stop = (ids: readonly number[], force: boolean): void =>
    act({
      run: () => call('stopTasks', { body: { ids: [...ids], force } }),
      text: (count) => t('activeTasks.stopped', { count }),
    });
  const running = selection.ids.filter((id) => !isStopping(id));
  const stopping = selection.ids.filter(isStopping);
  const named = new Map(query.data?.map((task) => [task.id, nameOf(task)]));
  return (
    <ListPage
      title={t('activeTasks.title')}
      before={back}
      filter={t('activeTasks.filter')}
      count={query.data?.length}
      shown={rows?.length ?? 0}
      state={state}
      onState={onState}
      error={query.error ? errorText(query.error) : undefined}
      onRetry={() => void query.refetch()}
      emptyTitle={t('activeTasks.emptyTitle')}
      emptyText={t('activeTasks.emptyText')}
    >
      <ListTable
        label={t('activeTasks.title')}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        state={state}
        onState={onState}
        actions={(task) => <Actions task={task} />}
        select={stoppable.length === 0 ? undefined : { selection, nameOf, isSelectable: ({ may_stop }) => may_stop }}
      />
      {query.data?.length === MAX_ACTIVE_TASKS ? <p className={css.more}>{t('activeTasks.more')}</p> : null}
      <SelectionBar selection={selection}>
        {running.length > 0 ? (
          <Button variant="stop" icon="square" small busy={isBusy} onClick={() => stop(running, false)}>
            {t('task.stop')}
          </Button>
        ) : null}
        {stopping.length > 0 ? (
          <Button variant="stop" icon="square" small busy={isBusy} onClick={() => stop(stopping, true)}>
            {t('task.forceStop')}
          </Button>
        ) : null}
      </SelectionBar>
      <RefusedDialog result={result} nameOf={(id) => named.get(id)} onClose={close} />
    </ListPage>
  );
};
