import { useParams } from '@tanstack/react-router';
import { HistoryPage } from '../../features/tasks/history/history-page.tsx';
import { DashboardTabs } from '../dashboard-tabs.tsx';

export const HistoryRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  return <HistoryPage project={projectId} tabs={<DashboardTabs project={projectId} />} key={projectId} />;
};
