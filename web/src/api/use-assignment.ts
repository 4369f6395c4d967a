import type { BodyInput, RouteTable } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../api/api-error.ts';
import { showToast } from '../ui/toast/toast-store.ts';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

type Assignment = BodyInput<RouteTable['assignFailure']>;

/** Assigns a failure of a project, or gives it back (`null`). What is shown of failures is fetched again. */
export const useAssignment = (project_id: number, failure_id: number, onDone: () => void = () => undefined) => {
  const client = useQueryClient();
  const params = { project_id, failure_id };
  return useMutation({
    mutationFn: async (body: Assignment | null): Promise<unknown> =>
      body === null ? await call('unassignFailure', { params }) : await call('assignFailure', { params, body }),
    onSuccess: async () => {
      const keys = [queryKey.failures(project_id), queryKey.overview(project_id)];
      await Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: key })));
      onDone();
    },
    onError: (error, body) => {
      if (body === null) showToast('error', errorText(error));
    },
  });
};
