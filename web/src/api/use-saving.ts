import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

export interface SavingCalls<V, A = unknown> {
  send: (values: V) => Promise<A>;
  /** What the page has loaded that is no longer true. */
  stale: QueryKey;
  onSaved: (values: V, answer: A) => void;
  /** Gets the server's message for each field. */
  onFields: (fields: Record<string, string>) => void;
}

/** Sends what a form holds. What the server says against it comes back to the form, which stays as it is. */
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
