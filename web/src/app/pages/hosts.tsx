import { useParams, useSearch } from '@tanstack/react-router';
import { HostsPage } from '../../features/hosts/hosts-page.tsx';
import { DashboardTabs } from '../dashboard-tabs.tsx';
import type { HostsSearch } from '../search.ts';
import { useListUrl } from '../use-list-url.ts';

export const HostsRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { q = '', ofGroup: group }: HostsSearch = useSearch({ strict: false });
  const change = useListUrl<HostsSearch>();
  return (
    <HostsPage
      project={projectId}
      tabs={<DashboardTabs project={projectId} />}
      name={q}
      group={group}
      onAllGroups={() => change({ ofGroup: undefined })}
      onName={(name) => change({ q: name === '' ? undefined : name })}
      key={`${projectId}-${group}`}
    />
  );
};
