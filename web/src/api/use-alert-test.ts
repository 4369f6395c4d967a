import type { AlertTest } from '@signalbox/contract';
import { useMutation } from '@tanstack/react-query';
import { errorText } from './api-error.ts';

/** Has the server send a message now, and keeps what became of it until the next one is sent. */
export const useAlertTest = <A = void>(send: (asked: A) => Promise<AlertTest>) => {
  const { mutate, data, error, isPending, variables } = useMutation({ mutationFn: send });
  return {
    send: mutate,
    isPending,
    /** What is, or was last, tried. */
    asked: variables,
    result: isPending ? undefined : data,
    error: error && !isPending ? errorText(error) : undefined,
  };
};
