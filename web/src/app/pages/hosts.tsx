import { useParams } from '@tanstack/react-router';
import { HostsPage } from '../../features/hosts/hosts-page.tsx';
import { DashboardTabs } from '../dashboard-tabs.tsx';

export const HostsRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  return <HostsPage project={projectId} tabs={<DashboardTabs project={projectId} />} key={projectId} />;
};
