import { rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { EventPosition } from './event-reader.ts';

/**
 * A place in a run's log and events from which reading gives out the same lines and records again, with their numbers:
 * all before it was given out, and nothing behind it.
 */
export const ReadPosition = z.object({
  /** Bytes of output.log. */
  offset: z.int(),
  /** Lines given out. */
  line: z.int(),
  /** The first line since the last mark that shows something. */
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
 * Keeps what helps whoever reads after this process ended. It survives no power cut, and must do no harm where it is
 * lost or torn.
 */
export const keepNote = async (path: string, note: object): Promise<void> => {
  await writeFile(`${path}.new`, JSON.stringify(note), { mode: 0o600 });
  await rename(`${path}.new`, path);
};
