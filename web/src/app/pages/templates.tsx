import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { TemplatesPage } from '../../features/templates/templates-page.tsx';
import { storage } from '../../ui/storage.ts';

export const TemplatesRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { viewId } = useParams({ strict: false });
  useEffect(() => storage.setLastView(projectId, viewId), [projectId, viewId]);
  return <TemplatesPage project={projectId} view={viewId} key={projectId} />;
};
