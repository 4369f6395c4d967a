import type { Project } from '@signalbox/contract';
import type { QueryClient } from '@tanstack/react-query';
import { queryKey } from './keys.ts';

/**
 * Changes the cached list of projects immediately and fetches the list again in the background. Callers must not wait for
 * this fetch, because the live message about the same change cancels it.
 */
const changeProjects = async (client: QueryClient, change: (projects: Project[]) => Project[]): Promise<void> => {
  await client.cancelQueries({ queryKey: queryKey.projects });
  client.setQueryData<Project[]>(queryKey.projects, (projects) => projects && change(projects));
  void client.invalidateQueries({ queryKey: queryKey.projects });
};

/** Adds a project that was just created to the cached list. */
export const addProject = (client: QueryClient, project: Project): Promise<void> =>
  changeProjects(client, (projects) => [...projects.filter(({ id }) => id !== project.id), project]);

/** Removes a project that was just deleted from the cached list. */
export const removeProject = (client: QueryClient, project: number): Promise<void> =>
  changeProjects(client, (projects) => projects.filter(({ id }) => id !== project));
