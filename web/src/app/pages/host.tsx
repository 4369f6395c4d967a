import { useParams, useSearch } from '@tanstack/react-router';
import { HostPage } from '../../features/hosts/host/host-page.tsx';

export const HostRoute = () => {
  const { projectId, hostId } = useParams({ from: '/signed/project/$projectId/hosts/$hostId' });
  const { show = 'overview' } = useSearch({ from: '/signed/project/$projectId/hosts/$hostId' });
  return <HostPage key={hostId} project={projectId} host={hostId} tab={show} />;
};
