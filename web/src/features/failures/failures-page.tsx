import { useDebouncedValue } from '@mantine/hooks';
import type { Failure, FailureTrend } from '@signalbox/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { failuresQuery, roleQuery, templatesQuery } from '../../api/queries.ts';
import { numberText } from '../../lang/locale.ts';
import { mayDo } from '../../ui/access/permissions.ts';
import { DialogLink } from '../../ui/basics/links.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { arrange, type ListState } from '../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../ui/lists/list-table.tsx';
import table from '../../ui/lists/table.module.css';
import { AssignmentLine } from '../../ui/tasks/assignment-line.tsx';
import { failureText } from '../../ui/tasks/failure-text.ts';
import { StatusIcon } from '../../ui/tasks/status-icon.tsx';
import { TaskLink } from '../../ui/tasks/task-cells.tsx';
import { Ago } from '../../ui/time/times.tsx';
import { BrokenTemplates } from './broken-templates.tsx';
import { DayBars } from './day-bars.tsx';
import { FailureAssignment } from './failure-assignment.tsx';
import css from './failures.module.css';

const TRENDS: Readonly<Record<FailureTrend, string>> = {
  new: 'failures.trend.new',
  returned: 'failures.trend.returned',
  ongoing: 'failures.trend.ongoing',
  gone: 'failures.trend.gone',
};
/** Order of the trends: what needs attention is first. */
const ORDER: readonly FailureTrend[] = ['new', 'returned', 'ongoing', 'gone'];

/** The trend of a failure, quiet for one that is known or does not occur any more. */
const Trend = ({ failure: { trend, remark, seen } }: { failure: Failure }) => {
  const { t } = useTranslation();
  const isQuiet = trend === 'gone' || remark.known;
  return (
    <span className={css.trend}>
      <StatusIcon colour={isQuiet ? 'wait' : 'error'} shape={trend === 'gone' ? 'dashed' : 'cross'} />
      {t(TRENDS[trend])}
      {seen.fixed_by === null ? null : <TaskLink id={seen.fixed_by} />}
      {remark.known ? <small>{t('failures.known')}</small> : null}
    </span>
  );
};

type ListedFailure = Failure & { readonly template_name: string };

const columnsOf = (t: TFunction, project: number): ShownColumn<ListedFailure>[] => [
  {
    id: 'failure',
    title: 'failures.failure',
    wraps: true,
    text: (row) => `${failureText(t, row)} ${row.title} ${row.remark.note} ${row.remark.assignment?.name ?? ''}`,
    cell: (row) => (
      <span className={css.failure}>
        {row.seen.last_task_id === null ? (
          failureText(t, row)
        ) : (
          <DialogLink
            className={table.name}
            search={{ t: row.seen.last_task_id, tab: undefined, line: undefined, with: undefined }}
          >
            {failureText(t, row)}
          </DialogLink>
        )}
        <small>{row.step}</small>
        {row.remark.assignment === null ? null : <AssignmentLine assignment={row.remark.assignment} />}
      </span>
    ),
  },
  {
    id: 'trend',
    title: 'failures.trendTitle',
    width: '176px',
    text: ({ trend }) => t(TRENDS[trend]),
    order: ({ trend, remark }) => ORDER.indexOf(trend) + (remark.known ? ORDER.length : 0),
    cell: (row) => <Trend failure={row} />,
  },
  {
    id: 'template',
    title: 'template.title',
    width: '15%',
    wraps: true,
    text: ({ template_name }) => template_name,
    cell: (row) => (
      <Link
        to="/project/$projectId/templates/$templateId"
        params={{ projectId: project, templateId: row.template_id }}
        search={{}}
        title={row.template_name}
      >
        {row.template_name}
      </Link>
    ),
  },
  {
    id: 'hosts',
    title: 'task.tabHosts',
    width: '76px',
    text: ({ open_hosts }) => numberText(open_hosts),
    order: ({ open_hosts }) => -open_hosts,
  },
  {
    id: 'days',
    title: 'failures.days',
    width: '112px',
    text: () => '',
    order: ({ days }) => -days.reduce((sum, count) => sum + count, 0),
    cell: ({ days }) => <DayBars days={days} />,
  },
  {
    id: 'last',
    title: 'column.lastTask',
    width: '13%',
    text: ({ seen }) => seen.last,
    order: ({ seen }) => -Date.parse(seen.last),
    cell: ({ seen }) => (
      <span className={css.last}>
        {seen.last_task_id === null ? null : <TaskLink id={seen.last_task_id} />}
        <Ago at={seen.last} />
      </span>
    ),
  },
];

export interface FailuresPageProps {
  project: number;
  state: ListState;
  onState: (change: ListState) => void;
}

const SEARCH_DELAY_MS = 250;

/** The newest failures, with older ones that the server finds for the text of the filter. */
const useFailures = (project: number, text: string) => {
  const query = useQuery(failuresQuery(project));
  const newest = query.data?.failures;
  const total = query.data?.total ?? 0;
  const [search] = useDebouncedValue(text.trim(), SEARCH_DELAY_MS);
  const isSearched = search !== '' && newest !== undefined && total > newest.length;
  const found = useQuery({
    ...failuresQuery(project, search),
    enabled: isSearched,
    placeholderData: keepPreviousData,
  });
  const older = isSearched ? found.data?.failures.filter(({ id }) => !newest.some((one) => one.id === id)) : undefined;
  return { query, newest, older: older ?? [], total };
};

/** The failures of a project: what failed in its tasks, how often, and whether it still does. */
export const FailuresPage = ({ project, state, onState }: FailuresPageProps) => {
  const { t } = useTranslation();
  const { query, newest, older, total } = useFailures(project, state.q ?? '');
  const { data: templates } = useQuery(templatesQuery(project));
  const { data: role } = useQuery(roleQuery(project));
  const nameOf = (id: number) => templates?.find((template) => template.id === id)?.name ?? '';
  const named = (failure: Failure): ListedFailure => ({ ...failure, template_name: nameOf(failure.template_id) });
  const columns = columnsOf(t, project);
  const sort = state.sort ?? 'trend';
  const matching = newest && arrange(newest.map(named), columns, { ...state, sort });
  const rows = matching && arrange([...matching, ...older.map(named)], columns, { sort });
  return (
    <>
      <ListPage
        title={t('failures.title')}
        filter={t('failures.filter')}
        pager={
          newest && total > newest.length ? (
            <span className="muted">{t('failures.newest', { count: newest.length, total: numberText(total) })}</span>
          ) : null
        }
        count={newest?.length}
        shown={rows?.length ?? 0}
        state={state}
        onState={onState}
        error={query.error ? errorText(query.error) : undefined}
        onRetry={() => void query.refetch()}
        emptyTitle={t('failures.emptyTitle')}
        emptyText={t('failures.emptyText')}
      >
        <ListTable
          label={t('failures.title')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          state={{ ...state, sort }}
          onState={onState}
          actions={
            mayDo(role, 'run_tasks')
              ? (row) =>
                  row.trend === 'gone' ? null : (
                    <FailureAssignment
                      project={project}
                      failure={row.id}
                      described={row}
                      assignment={row.remark.assignment}
                    />
                  )
              : undefined
          }
        />
      </ListPage>
      <BrokenTemplates project={project} />
    </>
  );
};
