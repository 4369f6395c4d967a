import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { tasksQuery } from '../../../api/queries.ts';
import { Failed } from '../../../ui/failed.tsx';
import { FilterInput } from '../../../ui/filter-input.tsx';
import { Bar, EmptyState, PageHeader } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { SkeletonRows } from '../../../ui/skeleton-rows.tsx';
import table from '../../../ui/table.module.css';
import css from './history.module.css';
import { filterTasks, PAGE_SIZE, pageOf } from './history-list.ts';
import { HistoryRow } from './history-row.tsx';
import { type StatusChoice, StatusFilter } from './status-filter.tsx';

const Head = () => {
  const { t } = useTranslation();
  return (
    <thead>
      <tr>
        <th className={css.task}>{t('column.task')}</th>
        <th className={css.version}>{t('column.version')}</th>
        <th className={css.status}>{t('column.status')}</th>
        <th className={css.user}>{t('column.user')}</th>
        <th className={css.start}>{t('column.start')}</th>
        <th className={`${css.duration} ${table.num}`}>{t('column.duration')}</th>
      </tr>
    </thead>
  );
};

/** The dashboard of a project: its newest tasks, live. */
export const HistoryPage = ({ project, tabs }: { project: number; tabs: ReactNode }) => {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [status, setStatus] = useState<StatusChoice>('');
  const [page, setPage] = useState(0);
  const query = useInfiniteQuery(tasksQuery(project, status === '' ? {} : { status }));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const all = query.data?.pages.flat() ?? [];
  const tasks = filterTasks(all, text);
  const rows = pageOf(tasks, page);
  const short = hasNextPage && tasks.length < (page + 1) * PAGE_SIZE;
  useEffect(() => {
    // The page asked for lies beyond what is loaded.
    if (short && !isFetchingNextPage) void fetchNextPage();
  }, [short, isFetchingNextPage, fetchNextPage]);
  const narrowed = text !== '' || status !== '';
  const change =
    <V,>(set: (value: V) => void) =>
    (value: V) => {
      set(value);
      setPage(0);
    };
  return (
    <>
      <PageHeader title={t('history.dashboard')} />
      {tabs}
      {query.error ? (
        <Bar>
          <Failed text={errorText(query.error)} retry={() => void query.refetch()} />
        </Bar>
      ) : null}
      {all.length > 0 || narrowed || query.isPending ? (
        <>
          <Bar>
            <FilterInput label={t('history.filter')} value={text} onChange={change(setText)} />
            <StatusFilter value={status} onChange={change(setStatus)} />
            <Pager page={page} size={PAGE_SIZE} count={tasks.length} more={hasNextPage} onPage={setPage} />
          </Bar>
          <div className={table.scroll}>
            <table className={`${table.table} ${table.cards} ${css.history}`} aria-busy={query.isPending}>
              <Head />
              <tbody>
                {query.isPending || (short && rows.length === 0) ? (
                  <SkeletonRows columns={6} rows={12} />
                ) : (
                  rows.map((task) => <HistoryRow key={task.id} task={task} />)
                )}
              </tbody>
            </table>
          </div>
          {narrowed && rows.length === 0 && !query.isPending && !short ? (
            <EmptyState title={t('history.noMatch')} />
          ) : null}
        </>
      ) : null}
      {query.isSuccess && all.length === 0 && !narrowed ? (
        <EmptyState title={t('history.emptyTitle')} text={t('history.emptyText')}>
          <Link to="/project/$projectId/templates" params={{ projectId: project }} search={{}}>
            {t('history.toTemplates')}
          </Link>
        </EmptyState>
      ) : null}
    </>
  );
};
