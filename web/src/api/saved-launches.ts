import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

/** The shared saved launches of a template, and those of the user. */
export const savedLaunchesQuery = (project_id: number, template_id: number) =>
  queryOptions({
    queryKey: queryKey.savedLaunches(project_id, template_id),
    queryFn: ({ signal }) => call('listSavedLaunches', { params: { project_id, template_id }, signal }),
  });

/** The numbers of saved launches of the templates that have some. */
export const savedLaunchCountsQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.savedLaunchCounts(project_id),
    queryFn: ({ signal }) => call('listSavedLaunchCounts', { params: { project_id }, signal }),
  });
