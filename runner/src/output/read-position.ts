import { rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { EventPosition } from './event-reader.ts';

/**
 * A position in the log and the events of a run, from which reading returns the same lines and records with the same numbers:
 * everything before it was returned, and nothing after it.
 */
export const ReadPosition = z.object({
  /** Bytes of output.log. */
  offset: z.int(),
  /** Number of returned lines. */
  line: z.int(),
  /** The first visible line after the last marker. */
  shown: z.int().nullable(),
  events: EventPosition,
});
export type ReadPosition = z.infer<typeof ReadPosition>;

export const BEGINNING: ReadPosition = {
  offset: 0,
  line: 0,
  shown: null,
  events: { offset: 0, count: 0, line: 1, marks: [] },
};

/**
 * Saves a value for the next process of the runner. It may be lost or truncated after a power failure, which must do no harm.
 */
export const saveJson = async (path: string, value: object): Promise<void> => {
  await writeFile(`${path}.new`, JSON.stringify(value), { mode: 0o600 });
  await rename(`${path}.new`, path);
};
