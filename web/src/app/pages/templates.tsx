import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { viewsQuery } from '../../api/queries.ts';
import { RunMenu } from '../../features/launch/saved/run-menu.tsx';
import { TemplatesPage } from '../../features/templates/templates-page.tsx';
import type { TemplatesState } from '../../features/templates/templates-state.ts';
import { storage } from '../../ui/browser/storage.ts';
import type { TemplatesSearch } from '../search.ts';
import { useListUrl } from '../use-list-url.ts';

/** The template list, used by both of its routes. */
export const TemplatesList = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { viewId } = useParams({ strict: false });
  const { q, sort, status, label, group }: TemplatesSearch = useSearch({ strict: false });
  const change = useListUrl<TemplatesState>();
  return (
    <TemplatesPage
      RunMenu={RunMenu}
      project={projectId}
      view={viewId}
      state={{ q, sort, status, label, group }}
      onState={change}
      key={projectId}
    />
  );
};

/** The template list of one view, which is stored as the last visited view of the project. */
export const TemplatesRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { viewId } = useParams({ strict: false });
  const { data: views } = useQuery(viewsQuery(projectId));
  useEffect(() => {
    // A deleted view must not be stored as the last visited one.
    if (views) storage.setLastView(projectId, views.find(({ id }) => id === viewId)?.id);
  }, [projectId, viewId, views]);
  return <TemplatesList />;
};
