import type { z } from 'zod';

/** The files of a run that its output is read from. */
export interface RunFiles {
  readonly task_id: number;
  readonly epoch: number;
  /** Path of the output. */
  readonly output: string;
  /** Path of the file with the times of the output. */
  readonly times: string;
  /** Path of the file with the position up to which everything is stored on the server. */
  readonly position: string;
  readonly workspace: {
    /** Path of the file with the reported events. */
    readonly events: string;
  };
  /** The content of a JSON file; undefined if the file is missing or incomplete. */
  readParsed<T>(path: string, schema: z.ZodType<T>): T | undefined;
}
