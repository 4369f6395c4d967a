import { z } from 'zod';

const line = z.int().describe('Number of the first log line that belongs to it.');
const at = z.number().describe('Milliseconds since 1970.');
/** Far more than a runner says: what a playbook's user could make it say must not fill the server. */
const text = z.string().max(10_000);
const number = z.int().min(0).max(1_000_000);

export const HOST_RESULTS = ['ok', 'changed', 'failed', 'ignored', 'skipped', 'unreachable'] as const;
export const HostResult = z.enum(HOST_RESULTS);
export type HostResult = z.infer<typeof HostResult>;

/** The counts of Ansible's own recap: what was changed or ignored is also `ok`. */
export const HostStats = z.object({
  ok: z.int(),
  changed: z.int(),
  failures: z.int(),
  ignored: z.int(),
  skipped: z.int(),
  rescued: z.int(),
  unreachable: z.int(),
});
export type HostStats = z.infer<typeof HostStats>;

export const PlayRecord = z.object({
  kind: z.literal('play'),
  at,
  line,
  play: number,
  name: text,
  hosts: z.int(),
});

export const StepRecord = z.object({
  kind: z.literal('step'),
  at,
  line: line.describe(
    'Number of the first log line that belongs to it; 0 with `strategy: free`, where steps are not together in the log.',
  ),
  step: number,
  play: number,
  name: text,
  action: text,
  handler: z.boolean(),
});

/** Most items of a loop that are named. */
export const MAX_FAILED_ITEMS = 20;

/** How the items of a loop ended; an item that changed something counts as `changed` only. */
export const LoopItems = z.object({
  ok: z.int(),
  changed: z.int(),
  failed: z.int(),
  skipped: z.int(),
  names: z
    .array(text)
    .max(5 * MAX_FAILED_ITEMS)
    .describe('Names of the first items that failed.'),
});

export const HostRecord = z.object({
  kind: z.literal('host'),
  at,
  line,
  last_line: z
    .int()
    .optional()
    .describe('Number of the last log line of the result, where it is known; `line` is then its first.'),
  step: number,
  host: text,
  result: HostResult,
  message: text.describe('Why it failed; empty otherwise.'),
  rescued: z.literal(true).optional().describe('There when the playbook takes care of the failure by a `rescue`.'),
  changed: z.literal(true).optional().describe('There when what was ignored had changed something.'),
  delegated_to: text.optional().describe('Name of the host that the step was done on, where it is another one.'),
  items: LoopItems.optional().describe('There for a loop.'),
});
export type HostRecord = z.infer<typeof HostRecord>;

export const StatsRecord = z.object({ kind: z.literal('stats'), at, line, hosts: z.record(text, HostStats) });

/**
 * What a playbook did, in the order in which it did it. A `step` is one task of the playbook; it belongs to the newest
 * `play` before it, and a `host` result to the step with its number.
 */
export const ResultRecord = z.discriminatedUnion('kind', [PlayRecord, StepRecord, HostRecord, StatsRecord]);
export type ResultRecord = z.infer<typeof ResultRecord>;

/** Results by number, the first being 1. */
export const Results = z.object({ first: z.int(), total: z.int(), records: z.array(ResultRecord) });
export type Results = z.infer<typeof Results>;
