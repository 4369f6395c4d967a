import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { viewsQuery } from '../../api/queries.ts';
import { TemplatesPage, type TemplatesState } from '../../features/templates/templates-page.tsx';
import { storage } from '../../ui/browser/storage.ts';
import type { TemplatesSearch } from '../search.ts';
import { useListAddress } from '../use-list-address.ts';

/** The list itself, whichever address it stands at. */
export const TemplatesList = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { viewId } = useParams({ strict: false });
  const { q, sort, status }: TemplatesSearch = useSearch({ strict: false });
  const change = useListAddress<TemplatesState>();
  return (
    <TemplatesPage project={projectId} view={viewId} state={{ q, sort, status }} onState={change} key={projectId} />
  );
};

/** The list, whose view is the one to come back to. */
export const TemplatesRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { viewId } = useParams({ strict: false });
  const { data: views } = useQuery(viewsQuery(projectId));
  useEffect(() => {
    // One that is gone must not be come back to.
    if (views) storage.setLastView(projectId, views.find(({ id }) => id === viewId)?.id);
  }, [projectId, viewId, views]);
  return <TemplatesList />;
};
