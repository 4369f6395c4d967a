import type { SelectionOutcome } from '@signalbox/contract';
import { ApiError } from '../errors/api-error.ts';

type Refusal = SelectionOutcome['refused'][number];

/**
 * Does something with one selected object after the other, and answers which of them were refused. An object that is
 * refused does not keep the next ones from being done.
 * @param act does it with one object, in a transaction of its own; its `ApiError` refuses this object
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
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push({ id, error: error.message, code: error.code, params: error.params ?? {} });
    }
  }
  return { done, refused };
};
