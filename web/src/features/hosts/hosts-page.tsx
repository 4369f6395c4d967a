import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { HOSTS_PAGE, hostListQuery } from '../../api/host-list.ts';
import { roleQuery, templatesQuery } from '../../api/queries.ts';
import { mayWith } from '../../ui/access/permissions.ts';
import { FilterInput } from '../../ui/lists/filter-input.tsx';
import { SortHead } from '../../ui/lists/list-table.tsx';
import { NoMatch } from '../../ui/lists/no-match.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { AllCheck } from '../../ui/lists/row-check.tsx';
import { SkeletonRows } from '../../ui/lists/skeleton-rows.tsx';
import table from '../../ui/lists/table.module.css';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Bar, EmptyState, PageHeader } from '../../ui/page/page.tsx';
import { takesAnyLimit } from './host/takes-any-limit.ts';
import { HostFilters } from './host-filters.tsx';
import { HostRow } from './host-row.tsx';
import css from './hosts.module.css';
import {
  FIRST_ORDER,
  filterOf,
  HOST_COLUMNS,
  type HostsState,
  isNarrowed,
  NO_FILTER,
  TYPING_MS,
} from './hosts-state.ts';
import { SelectedHosts } from './selected-hosts.tsx';
import { type HostSelection, useHostSelection } from './use-host-selection.ts';

interface HostsPageProps {
  project: number;
  tabs: ReactNode;
  state: HostsState;
  onState: (change: HostsState) => void;
}

const Head = ({
  state,
  onState,
  selection,
}: Pick<HostsPageProps, 'state' | 'onState'> & { selection: HostSelection | undefined }) => (
  <thead>
    <tr>
      {HOST_COLUMNS.map((column) => (
        <SortHead
          key={column.id}
          column={column}
          state={state}
          first={FIRST_ORDER}
          before={column.id === 'host' && selection ? <AllCheck selection={selection} /> : null}
          onState={(change) => onState({ ...change, page: undefined })}
        />
      ))}
    </tr>
  </thead>
);

/** Templates that the user may run on any hosts. */
const useRunnable = (project: number) => {
  const { data: role } = useQuery(roleQuery(project));
  const { data: templates = [] } = useQuery(templatesQuery(project));
  return templates.filter((template) => takesAnyLimit(template) && mayWith(role, template.id, 'run'));
};

/** The hosts of a project, those whose last runs failed first. */
export const HostsPage = ({ project, tabs, state, onState }: HostsPageProps) => {
  const { t } = useTranslation();
  const page = (state.page ?? 1) - 1;
  const [typed] = useDebouncedValue(state.value, TYPING_MS);
  const filter = filterOf({ ...state, value: state.value && typed });
  const query = useQuery(hostListQuery(project, filter, page));
  const { hosts = [], total = 0 } = query.data ?? {};
  const templates = useRunnable(project);
  const all = useHostSelection(hosts);
  const selection = templates.length > 0 ? all : undefined;
  const isEmpty = query.isSuccess && total === 0;
  const narrow = (change: HostsState) => onState({ ...change, page: undefined });
  return (
    <>
      <PageHeader title={t('history.dashboard')} />
      {tabs}
      {query.error ? (
        <Bar>
          <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
        </Bar>
      ) : null}
      {isEmpty && !isNarrowed(state) ? (
        <EmptyState title={t('hosts.emptyTitle')} text={t('hosts.emptyText')} />
      ) : (
        <>
          <Bar>
            <FilterInput
              label={t('host.find')}
              value={state.q ?? ''}
              onChange={(q) => narrow({ q: q === '' ? undefined : q })}
            />
            <HostFilters project={project} state={state} onState={narrow} />
            <Pager
              page={page}
              size={HOSTS_PAGE}
              count={total}
              more={false}
              onPage={(to) => onState({ page: to === 0 ? undefined : to + 1 })}
            />
          </Bar>
          <div className={table.scroll}>
            <table className={`${table.table} ${table.cards} ${css.hosts}`} aria-busy={query.isPending}>
              <Head state={state} onState={onState} selection={selection} />
              <tbody>
                {query.isPending ? (
                  <SkeletonRows columns={HOST_COLUMNS.length} rows={12} />
                ) : (
                  hosts.map((host) => <HostRow key={host.id} project={project} host={host} selection={selection} />)
                )}
              </tbody>
            </table>
          </div>
          {selection ? <SelectedHosts {...{ project, filter, total, selection, templates }} /> : null}
          {isEmpty ? <NoMatch title={t('host.noMatch')} onClear={() => narrow(NO_FILTER)} /> : null}
        </>
      )}
    </>
  );
};
