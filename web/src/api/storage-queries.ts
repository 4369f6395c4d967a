import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

/** Settings of a project for retention; null for those of the system. */
export interface RetentionSettings {
  readonly keep_tasks_days: number | null;
  readonly keep_logs_days: number | null;
  readonly keep_tasks_min: number | null;
}

/** What the tasks of a project use. */
export const storageQuery = (project_id: number) =>
  queryOptions({
    queryKey: [...queryKey.project(project_id), 'storage'],
    queryFn: ({ signal }) => call('getStorage', { params: { project_id }, signal }),
  });

/** What settings of a project would free. */
export const freedStorageQuery = (project_id: number, settings: RetentionSettings) =>
  queryOptions({
    queryKey: [...queryKey.project(project_id), 'storage', 'freed', settings],
    queryFn: ({ signal }) =>
      call('getFreedStorage', {
        params: { project_id },
        query: {
          keep_tasks_days: settings.keep_tasks_days ?? undefined,
          keep_logs_days: settings.keep_logs_days ?? undefined,
          keep_tasks_min: settings.keep_tasks_min ?? undefined,
        },
        signal,
      }),
  });

/** What all projects use, for administrators. */
export const storageOfProjectsQuery = () =>
  queryOptions({
    queryKey: [...queryKey.system, 'storage'],
    queryFn: ({ signal }) => call('getStorageOfProjects', { signal }),
  });
