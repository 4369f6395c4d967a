import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

export const runnerRegistrationsQuery = () =>
  queryOptions({
    queryKey: queryKey.runnerRegistrations,
    queryFn: ({ signal }) => call('listRunnerRegistrations', { signal }),
  });
export const runnersQuery = () =>
  queryOptions({ queryKey: queryKey.runners, queryFn: ({ signal }) => call('listRunners', { signal }) });

export const runnerQuery = (runner_id: number) =>
  queryOptions({
    queryKey: queryKey.runner(runner_id),
    queryFn: ({ signal }) => call('getRunner', { params: { runner_id }, signal }),
  });
