import { z } from 'zod';
import { HostFactValues } from './fact.ts';

const line = z.int().describe('Number of its first log line.');
const at = z.number().describe('Milliseconds since 1970.');
/** Far more than a runner sends. Limits what a playbook can make the server store. */
const text = z.string().max(10_000);
const number = z.int().min(0).max(1_000_000);

export const HOST_RESULTS = ['ok', 'changed', 'failed', 'ignored', 'skipped', 'unreachable'] as const;
export const HostResult = z.enum(HOST_RESULTS);
export type HostResult = z.infer<typeof HostResult>;

/** The counts of Ansible's recap, where changed and ignored results also count as `ok`. */
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

/** Maximum number of hosts of a play whose names are stored when it starts. */
export const MAX_PLAY_NAMES = 1000;

export const PlayRecord = z.object({
  kind: z.literal('play'),
  at,
  line,
  play: number,
  name: text,
  hosts: z.int(),
  names: z
    .array(text)
    .max(MAX_PLAY_NAMES)
    .optional()
    .describe(`Names of its hosts; absent for more than ${MAX_PLAY_NAMES} hosts.`),
});

export type PlayRecord = z.infer<typeof PlayRecord>;

export const StepRecord = z.object({
  kind: z.literal('step'),
  at,
  line: line.describe(
    'Number of its first log line; 0 with `strategy: free`, where the lines of a step are not contiguous.',
  ),
  step: number,
  play: number,
  name: text,
  action: text,
  handler: z.boolean(),
  path: text
    .optional()
    .describe('File of the step in the repository, and its line, as in `roles/base/tasks/main.yml:18`.'),
});

/** Maximum number of items of a loop whose names are stored. */
export const MAX_FAILED_ITEMS = 20;

/** Results of the items of a loop. A changed item does not count as `ok`. */
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

/** Why a result failed, where a program must know it. */
export const FailureCause = z.enum(['host_key_changed']);

/** Maximum number of groups of a host, and of characters of a difference. */
export const MAX_HOST_GROUPS = 50;
const MAX_DIFF = 20_000;

export const HostRecord = z.object({
  kind: z.literal('host'),
  at,
  line,
  last_line: z
    .int()
    .optional()
    .describe('Number of the last log line of the result, if known; `line` is then the first one.'),
  step: number,
  host: text,
  result: HostResult,
  message: text.describe('Why it failed; empty otherwise.'),
  cause: FailureCause.optional()
    .catch(undefined)
    .describe('The same as a code, for some failures. A code that the receiver does not know counts as none.'),
  rescued: z.literal(true).optional().describe('Set if a `rescue` section of the playbook handles the failure.'),
  changed: z.literal(true).optional().describe('Set if the ignored result changed the host.'),
  delegated_to: text.optional().describe('Name of the host on which the step ran, if it was delegated.'),
  items: LoopItems.optional().describe('Set for a loop.'),
  groups: z.array(text).max(MAX_HOST_GROUPS).optional().describe('Groups of the host; set in its first result.'),
  facts: HostFactValues.optional().describe('Set if the step gathered facts, and the project collects them.'),
  target: text.optional().describe('What the step changed: a file, or the object that the module names.'),
  diff: z.string().max(MAX_DIFF).optional().describe('The difference that the step made, if the run shows it.'),
});
export type HostRecord = z.infer<typeof HostRecord>;

export const StatsRecord = z.object({ kind: z.literal('stats'), at, line, hosts: z.record(text, HostStats) });

/**
 * What a playbook did, in the order in which it did it. A `step` is one task of the playbook; it belongs to the newest
 * `play` before it, and a `host` result to the step with its number.
 */
export const ResultRecord = z.discriminatedUnion('kind', [PlayRecord, StepRecord, HostRecord, StatsRecord]);
export type ResultRecord = z.infer<typeof ResultRecord>;

/** Results by number, from 1. */
export const Results = z.object({ first: z.int(), total: z.int(), records: z.array(ResultRecord) });
export type Results = z.infer<typeof Results>;
