import type { HostMoment, HostSummary } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { HOSTS_PAGE, type HostSort, hostsQuery } from '../../api/queries.ts';
import { Button } from '../../ui/basics/button.tsx';
import { FilterInput } from '../../ui/lists/filter-input.tsx';
import { NoMatch } from '../../ui/lists/no-match.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { SkeletonRows } from '../../ui/lists/skeleton-rows.tsx';
import table from '../../ui/lists/table.module.css';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Bar, EmptyState, PageHeader } from '../../ui/page/page.tsx';
import { TaskLink } from '../../ui/tasks/task-cells.tsx';
import { Ago } from '../../ui/time/times.tsx';
import css from './hosts.module.css';

const COLUMNS: readonly (readonly [sort: HostSort, labelKey: string])[] = [
  ['host', 'host.host'],
  ['last_success', 'hosts.success'],
  ['last_change', 'hosts.change'],
  ['last_failure', 'hosts.failure'],
];

const Moment = ({ moment }: { moment: HostMoment | null }) => {
  if (moment === null) return <span className="faint">–</span>;
  return (
    <span className={table.cell}>
      <Ago at={moment.time} />
      {moment.task_id === null ? null : <TaskLink id={moment.task_id} />}
    </span>
  );
};

const HostRow = ({ project, host }: { project: number; host: HostSummary }) => (
  <tr>
    <th scope="row" className="mono cut" title={host.host}>
      <Link
        className={table.name}
        to="/project/$projectId/hosts/$hostId"
        params={{ projectId: project, hostId: host.id }}
        search={{}}
      >
        {host.host}
      </Link>
    </th>
    <td>
      <Moment moment={host.last_success} />
    </td>
    <td>
      <Moment moment={host.last_change} />
    </td>
    <td>
      <Moment moment={host.last_failure} />
    </td>
  </tr>
);

interface Order {
  readonly sort: HostSort;
  readonly order: 'asc' | 'desc';
}

const Head = ({ order, onOrder }: { order: Order; onOrder: (order: Order) => void }) => {
  const { t } = useTranslation();
  // Default order: latest first for times, ascending for names.
  const next = (sort: HostSort): Order['order'] => {
    if (order.sort !== sort) return sort === 'host' ? 'asc' : 'desc';
    return order.order === 'asc' ? 'desc' : 'asc';
  };
  return (
    <thead>
      <tr>
        {COLUMNS.map(([sort, labelKey]) => (
          <th
            key={sort}
            aria-sort={order.sort === sort ? (order.order === 'asc' ? 'ascending' : 'descending') : undefined}
          >
            <button type="button" className={css.sort} onClick={() => onOrder({ sort, order: next(sort) })}>
              {t(labelKey)}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
};

interface HostsPageProps {
  project: number;
  tabs: ReactNode;
  /** Part of the names of the hosts that are shown. */
  name: string;
  onName: (name: string) => void;
  /** The only group whose hosts are shown; undefined for all. */
  group?: string | undefined;
  onAllGroups?: () => void;
}

/** The hosts of a project with the results of all runs. */
export const HostsPage = ({ project, tabs, name, onName, group, onAllGroups }: HostsPageProps) => {
  const { t } = useTranslation();
  const [page, setPage] = useState(0);
  const [order, setOrder] = useState<Order>({ sort: 'host', order: 'asc' });
  const query = useQuery(hostsQuery(project, { name, group, page, ...order }));
  const { hosts = [], total = 0 } = query.data ?? {};
  const isEmpty = query.isSuccess && total === 0;
  return (
    <>
      <PageHeader title={t('history.dashboard')} />
      {tabs}
      {query.error ? (
        <Bar>
          <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
        </Bar>
      ) : null}
      {isEmpty && name === '' && group === undefined ? (
        <EmptyState title={t('hosts.emptyTitle')} text={t('hosts.emptyText')} />
      ) : (
        <>
          <Bar>
            <FilterInput
              label={t('host.find')}
              value={name}
              onChange={(value) => {
                onName(value);
                setPage(0);
              }}
            />
            {group === undefined ? null : (
              <Button small onClick={onAllGroups}>
                {t('hostPage.onlyGroup', { name: group })}
              </Button>
            )}
            <Pager page={page} size={HOSTS_PAGE} count={total} more={false} onPage={setPage} />
          </Bar>
          <div className={table.scroll}>
            <table className={`${table.table} ${css.hosts}`} aria-busy={query.isPending}>
              <Head
                order={order}
                onOrder={(to) => {
                  setOrder(to);
                  setPage(0);
                }}
              />
              <tbody>
                {query.isPending ? (
                  <SkeletonRows columns={COLUMNS.length} rows={12} />
                ) : (
                  hosts.map((host) => <HostRow key={host.id} project={project} host={host} />)
                )}
              </tbody>
            </table>
          </div>
          {isEmpty ? (
            <NoMatch
              title={t('host.noMatch')}
              onClear={() => {
                onName('');
                onAllGroups?.();
                setPage(0);
              }}
            />
          ) : null}
        </>
      )}
    </>
  );
};
