import type { SelectionOutcome } from '@signalbox/contract';
import { ZodError } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { errorAnswer, fieldsError } from '../errors/error-answer.ts';

type Refusal = SelectionOutcome['refused'][number];

/**
 * Does something with one selected object after the other, and answers which of them were refused. An object that is
 * refused does not keep the next ones from being done.
 * @param act does it with one object, in a transaction of its own; its `ApiError` or `ZodError` refuses this object
 * @throws every other error, at the object where it occurs
 */
export const eachSelected = async (
  ids: readonly number[],
  act: (id: number) => Promise<void>,
): Promise<SelectionOutcome> => {
  const done: number[] = [];
  const refused: Refusal[] = [];
  for (const id of ids) {
    try {
      await act(id);
      done.push(id);
    } catch (thrown) {
      const error = thrown instanceof ZodError ? fieldsError(thrown) : thrown;
      if (!(error instanceof ApiError)) throw error;
      refused.push({ id, params: {}, ...errorAnswer(error) });
    }
  }
  return { done, refused };
};
