import { ChangedPart, InstallationPart, ServerState } from '@signalbox/contract';
import { z } from 'zod';
import { LinkedRunner } from './linked-runner.ts';

/** Events without data that other servers must know. */
export const SIGNALS = ['rights_changed', 'due_times_changed', 'capacity_changed', 'events_missed'] as const;
export type Signal = (typeof SIGNALS)[number];

const Id = z.int().positive().max(2_147_483_647);
/** A task, its project, and the numbers of its first and last new line or result. */
const Stored = z.object({ project: Id, task: Id, first: Id, last: Id });
export type StoredRange = z.infer<typeof Stored>;

/** Drops values that only a newer version knows. */
const known = <T extends string>(values: readonly T[]) =>
  z
    .array(z.string())
    .default([])
    .transform((given) => given.filter((value): value is T => (values as readonly string[]).includes(value)));

/**
 * What one server sends to the others: ids, line numbers, its runners and its load; they read rows and logs themselves. PostgreSQL carries at most 8,000 bytes, and a
 * notice may get lost, so nothing depends on it.
 */
export const Notice = z.object({
  /** The server that sent it: a random name, new at each start. */
  server: z.string(),
  tasks: z.array(Id).default([]),
  lines: z.array(Stored).default([]),
  results: z.array(Stored).default([]),
  queries: z.array(Id).default([]),
  parts: z
    .array(z.tuple([Id, z.string()]))
    .default([])
    .transform((given) =>
      given.flatMap(([projectId, part]) => {
        const { data } = ChangedPart.safeParse(part);
        return data === undefined ? [] : [{ projectId, part: data }];
      }),
    ),
  installation: known(InstallationPart.options),
  signals: known(SIGNALS),
  /** The tasks whose lines pages of this server show. Undefined if the notice does not mention it. */
  watched: z.object({ all: z.boolean(), tasks: z.array(Id) }).optional(),
  /** Runners that are linked to the sender. Many are sent in several notices; the last one makes the list valid. */
  runners: z.object({ isFirst: z.boolean(), isLast: z.boolean(), list: z.array(LinkedRunner) }).optional(),
  /** What the sender is and how loaded. Dropped if it is invalid, so that a newer version can change it. */
  about: ServerState.optional().catch(undefined),
  /** Whether the sender ends. */
  ends: z.boolean().default(false),
  /** When it was sent, on the clock of the sender, which measures how long its own notice takes. */
  heartbeat: z.number().optional(),
});
export type Notice = z.output<typeof Notice>;

/** The tasks whose lines are wanted: some, or those of all tasks. */
export type Watched = NonNullable<Notice['watched']>;

/** @returns undefined for a text that no server sent */
export const readNotice = (text: string): Notice | undefined => {
  try {
    return Notice.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};
