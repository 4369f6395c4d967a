import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

export const runnerRegistrationsQuery = () =>
  queryOptions({
    queryKey: queryKey.runnerRegistrations,
    queryFn: ({ signal }) => call('listRunnerRegistrations', { signal }),
  });
