import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

/** The shared saved filters of the history of a project, and those of the user. */
export const savedFiltersQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.savedFilters(project_id),
    queryFn: ({ signal }) => call('listSavedFilters', { params: { project_id }, signal }),
  });
