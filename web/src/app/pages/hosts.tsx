import { useParams, useSearch } from '@tanstack/react-router';
import { HostsPage } from '../../features/hosts/hosts-page.tsx';
import type { HostsState } from '../../features/hosts/hosts-state.ts';
import { DashboardTabs } from '../dashboard-tabs.tsx';
import type { HostsSearch } from '../search.ts';
import { useListUrl } from '../use-list-url.ts';

/** What changes, with the names of the search parameters. */
const searchOf = ({ group, operator, result, ...change }: HostsState, names: readonly string[]): HostsSearch => ({
  ...change,
  ...(names.includes('group') ? { ofGroup: group } : {}),
  ...(names.includes('result') ? { last: result } : {}),
  ...(names.includes('operator') ? { op: operator } : {}),
});

export const HostsRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const search: HostsSearch = useSearch({ strict: false });
  const { q, sort, page, ofGroup: group, op: operator, template, last: result, days, fact, value, vanished } = search;
  const change = useListUrl<HostsSearch>();
  return (
    <HostsPage
      project={projectId}
      tabs={<DashboardTabs project={projectId} />}
      state={{ q, sort, page, group, template, result, days, fact, operator, value, vanished }}
      onState={(to) => change(searchOf(to, Object.keys(to)))}
      key={projectId}
    />
  );
};
