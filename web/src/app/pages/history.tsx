import { useParams } from '@tanstack/react-router';
import { HistoryPage } from '../../features/tasks/history/history-page.tsx';

export const HistoryRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  return <HistoryPage project={projectId} key={projectId} />;
};
