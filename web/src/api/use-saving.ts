import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

export interface SavingCalls<V, A = unknown> {
  send: (values: V) => Promise<A>;
  /** Query keys that are out of date after saving. */
  stale: QueryKey;
  onSaved: (values: V, answer: A) => void;
  /** Called with the server's message for each field. */
  onFields: (fields: Record<string, string>) => void;
}

/** Sends the values of a form. Errors of the server are shown in the form, which stays open. */
export const useSaving = <V, A = unknown>({ send, stale, onSaved, onFields }: SavingCalls<V, A>) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: async (answer, values) => {
      await client.invalidateQueries({ queryKey: stale });
      onSaved(values, answer);
    },
    onError: (error) => {
      if (error instanceof ApiError) onFields(error.fields);
    },
  });
};
