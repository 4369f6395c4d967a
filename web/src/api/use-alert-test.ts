import type { AlertTest } from '@signalbox/contract';
import { useMutation } from '@tanstack/react-query';
import { errorText } from './api-error.ts';

/** Sends a test alert and keeps its result until the next test is sent. */
export const useAlertTest = <A = void>(send: (asked: A) => Promise<AlertTest>) => {
  const { mutate, data, error, isPending, variables } = useMutation({ mutationFn: send });
  return {
    send: mutate,
    isPending,
    /** The object that is being tested, or was tested last. */
    asked: variables,
    result: isPending ? undefined : data,
    error: error && !isPending ? errorText(error) : undefined,
  };
};
