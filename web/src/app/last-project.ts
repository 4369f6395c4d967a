import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { projectsQuery } from '../api/queries.ts';
import { storage } from '../ui/browser/storage.ts';
import { chooseProject } from './project-choice.ts';

/** Redirects to the history of the last opened project, or to a new project if there is none. */
export const openLastProject = async (client: QueryClient): Promise<never> => {
  const projects = await client.ensureQueryData(projectsQuery());
  const projectId = chooseProject(projects, undefined, storage.lastProject());
  if (projectId === undefined) throw redirect({ to: '/project/new' });
  throw redirect({ to: '/project/$projectId/history', params: { projectId } });
};
