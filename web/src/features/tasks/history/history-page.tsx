import { MAX_SELECTED } from 'virtual:routes';
import { useCallbackRef } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { roleQuery, tasksQuery } from '../../../api/queries.ts';
import { savedFiltersQuery } from '../../../api/saved-filters.ts';
import { mayDo, mayWithAny } from '../../../ui/access/permissions.ts';
import { lazyPart } from '../../../ui/browser/lazy-part.ts';
import { FilterInput } from '../../../ui/lists/filter-input.tsx';
import { arrange } from '../../../ui/lists/list-state.ts';
import { SortHead } from '../../../ui/lists/list-table.tsx';
import { NoMatch } from '../../../ui/lists/no-match.tsx';
import { Pager } from '../../../ui/lists/pager.tsx';
import { AllCheck } from '../../../ui/lists/row-check.tsx';
import { SkeletonRows } from '../../../ui/lists/skeleton-rows.tsx';
import { StatusChips } from '../../../ui/lists/status-chips.tsx';
import table from '../../../ui/lists/table.module.css';
import { type Selection, useSelection } from '../../../ui/lists/use-selection.ts';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { Bar, EmptyState, PageHeader } from '../../../ui/page/page.tsx';
import { momentsOf } from './day-span.ts';
import { NO_FILTER } from './filters/filter-state.ts';
import { FilterTabs } from './filters/filter-tabs.tsx';
import css from './history.module.css';
import { HistoryFilters } from './history-filters.tsx';
import { filterTasks, HISTORY_COLUMNS, MAX_SORTED, PAGE_SIZE, pageOf } from './history-list.ts';
import { HistoryRow } from './history-row.tsx';
import type { HistoryState } from './history-state.ts';
import { useQueuePositions } from './queue-positions.ts';

const FilterActions = lazyPart(() => import('./filters/filter-actions.tsx'), 'FilterActions');
const SelectedTasks = lazyPart(() => import('./selected-tasks.tsx'), 'SelectedTasks');

export interface HistoryPageProps {
  project: number;
  tabs: ReactNode;
  /** Content below the table, shown after the tasks have loaded. */
  charts?: ReactNode;
  /** Shown while the project has no tasks. */
  firstSteps?: ReactNode;
  state: HistoryState;
  onState: (change: HistoryState) => void;
}

const Head = ({
  state,
  onState,
  selection,
}: Pick<HistoryPageProps, 'state' | 'onState'> & { selection: Selection | undefined }) => (
  <thead>
    <tr>
      {HISTORY_COLUMNS.map((column) => (
        <SortHead
          key={column.id}
          column={column}
          state={state}
          first="task"
          before={column.id === 'task' && selection ? <AllCheck selection={selection} /> : null}
          onState={(change) => onState({ ...change, page: undefined })}
          className={`${css[column.id]} ${column.id === 'duration' ? table.num : ''}`}
        />
      ))}
    </tr>
  </thead>
);

/** Chips with the number of newest tasks in each status, independent of the chosen status. */
const CountedStatuses = ({ project, state, onState }: Pick<HistoryPageProps, 'project' | 'state' | 'onState'>) => {
  const query = useInfiniteQuery(
    tasksQuery(project, {
      ...{ end_reason: state.reason, template_id: state.template, user_id: state.user },
      ...momentsOf(state, new Date()),
    }),
  );
  const tasks = filterTasks(query.data?.pages.flat() ?? [], state.q ?? '');
  return (
    <StatusChips
      statuses={tasks.map(({ status }) => status)}
      isMore={query.hasNextPage}
      chosen={state.status}
      onChoose={(status) => onState({ status: status === 'none' ? undefined : status })}
    />
  );
};

/** The tasks that are shown. Loads more while they do not fill the page. */
const useHistory = (project: number, { q = '', sort, page = 1, ...narrowed }: HistoryState) => {
  const { status, reason, template, user } = narrowed;
  const moments = momentsOf(narrowed, new Date());
  const filter = { status, end_reason: reason, template_id: template, user_id: user, ...moments };
  const query = useInfiniteQuery(tasksQuery(project, filter));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const all = query.data?.pages.flat() ?? [];
  const tasks = arrange(filterTasks(all, q), HISTORY_COLUMNS, { sort });
  // More tasks are needed for a later page, and for any order other than by time.
  const isShort = hasNextPage && (tasks.length < page * PAGE_SIZE || (sort !== undefined && all.length < MAX_SORTED));
  useEffect(() => {
    if (isShort && !isFetchingNextPage) void fetchNextPage();
  }, [isShort, isFetchingNextPage, fetchNextPage]);
  const last = Math.max(0, Math.ceil(tasks.length / PAGE_SIZE) - 1);
  const at = isShort ? page - 1 : Math.min(page - 1, last);
  const isNarrowed = q !== '' || Object.values(filter).some((value) => value !== undefined);
  return { query, all, tasks, at, isShort, isNarrowed, rows: pageOf(tasks, at) };
};

/** The dashboard of a project: its newest tasks, updated live. */
export const HistoryPage = ({ project, tabs, charts, firstSteps, state, onState }: HistoryPageProps) => {
  const { t } = useTranslation();
  const { query, all, tasks, at, isShort, isNarrowed, rows } = useHistory(project, state);
  const positions = useQueuePositions(rows);
  const { data: role } = useQuery(roleQuery(project));
  const selection = useSelection(
    rows.map(({ id }) => id),
    MAX_SELECTED,
  );
  const { data: filters = [] } = useQuery(savedFiltersQuery(project));
  const current = filters.find(({ id }) => id === state.filter);
  const select = useCallbackRef(selection.toggle);
  const maySelect = mayWithAny(role, 'stop') || mayDo(role, 'update_project');
  const narrow = (change: HistoryState) => onState({ ...change, page: undefined });
  return (
    <>
      <PageHeader title={t('history.dashboard')} />
      {tabs}
      {filters.length > 0 ? (
        <FilterTabs project={project} filters={filters} current={current} sort={state.sort} />
      ) : null}
      {query.error ? (
        <Bar>
          <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
        </Bar>
      ) : null}
      {all.length > 0 || isNarrowed || query.isPending ? (
        <>
          <Bar>
            <FilterInput
              label={t('history.filter')}
              value={state.q ?? ''}
              onChange={(q) => narrow({ q: q === '' ? undefined : q })}
            />
            <HistoryFilters project={project} tasks={all} state={state} onState={narrow} />
            <Suspense>
              {isNarrowed || current ? (
                <FilterActions {...{ project, state, current, isNarrowed }} onState={narrow} />
              ) : null}
            </Suspense>
            <Pager
              page={at}
              size={PAGE_SIZE}
              count={tasks.length}
              more={query.hasNextPage}
              onPage={(to) => onState({ page: to === 0 ? undefined : to + 1 })}
            />
            <CountedStatuses project={project} state={state} onState={narrow} />
          </Bar>
          <div className={table.scroll}>
            <table className={`${table.table} ${table.cards} ${css.history}`} aria-busy={query.isPending}>
              <Head state={state} onState={onState} selection={maySelect ? selection : undefined} />
              <tbody>
                {query.isPending || (isShort && rows.length === 0) ? (
                  <SkeletonRows columns={6} rows={12} />
                ) : (
                  rows.map((task) => (
                    <HistoryRow
                      key={task.id}
                      task={task}
                      position={positions.get(task.id) ?? null}
                      onSelect={maySelect ? select : undefined}
                      isSelected={selection.has(task.id)}
                    />
                  ))
                )}
              </tbody>
            </table>
          </div>
          <Suspense>
            {maySelect ? <SelectedTasks project={project} tasks={rows} selection={selection} /> : null}
          </Suspense>
          {isNarrowed && rows.length === 0 && !query.isPending && !isShort ? (
            <NoMatch title={t('history.noMatch')} onClear={() => narrow(NO_FILTER)} />
          ) : null}
        </>
      ) : null}
      {query.isSuccess && all.length === 0 && !isNarrowed
        ? (firstSteps ?? (
            <EmptyState title={t('history.emptyTitle')} text={t('history.emptyText')}>
              <Link to="/project/$projectId/templates" params={{ projectId: project }} search={{}}>
                {t('notFound.templates')}
              </Link>
            </EmptyState>
          ))
        : null}
      {all.length > 0 ? charts : null}
    </>
  );
};
