import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

/** Time after which the choices of a survey are read again, in milliseconds. The server keeps them for as long. */
const CHOICES_STALE = 60_000;

/** The choices of a variable of a survey, which come from a source. */
export const choicesQuery = (project_id: number, template_id: number, variable: string) =>
  queryOptions({
    queryKey: queryKey.choices(project_id, template_id, variable),
    queryFn: ({ signal }) => call('listChoices', { params: { project_id, template_id, variable }, signal }),
    staleTime: CHOICES_STALE,
    // No retry: the source was asked for a long time and the answer has the reason.
    retry: false,
  });
