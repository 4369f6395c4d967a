import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, LineText, Moment, MomentText, OptionalId, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';

/** Number of days for which tasks with a failure are counted. */
export const MAX_FAILURE_DAYS = 14;

/** Maximum number of characters of a note. */
const MAX_NOTE = 4000;

/** Causes of failures that have a text in every language. */
export const FAILURE_CAUSES = [
  'apt_locked',
  'rpm_locked',
  'no_space',
  'read_only',
  'out_of_memory',
  'connection_timeout',
  'connection_refused',
  'connection_closed',
  'no_route',
  'name_unknown',
  'host_key_changed',
  'host_key_unknown',
  'login_denied',
  'python_missing',
  'sudo_password',
  'sudo_denied',
  'undefined_variable',
  'hidden',
  'others',
] as const;
export const CommonCause = z.enum(FAILURE_CAUSES);
export type CommonCause = z.infer<typeof CommonCause>;

const result = z.enum(['failed', 'unreachable']).describe('Whether the step failed, or the host was unreachable.');

const cause = CommonCause.nullable().describe(
  'A common cause, for a text in the language of the reader; null for other causes. `hidden`: `no_log` hides the message. `others`: all failures beyond the first clusters of a task.',
);
const title = z.string().describe('What failed, on one line: the first line of the message.');
const action = z.string().describe('Module of the step, as the playbook names it.');
const step = z.string().describe('Name of the step; for an unreachable host, of the first one that could not run.');

export const FailureMember = z.object({
  host: z.string(),
  at: z.number().describe('Milliseconds since 1970.'),
  line: z.int().describe('Number of its first log line.'),
});
export type FailureMember = z.infer<typeof FailureMember>;

/** Part of a message, in order. */
const FailureSegment = z.object({
  text: z.string().describe('Text of this part.'),
  differs: z.boolean().describe('Whether this part is not the same on all hosts.'),
});

export const FailureMessage = z.object({
  hosts: z.int().describe('Number of hosts with a message of this form.'),
  segments: z.array(FailureSegment).describe('The message of the first of them.'),
});
export type FailureMessage = z.infer<typeof FailureMessage>;

/** Hosts whose messages have the same value where the messages of a cluster differ least. */
export const FailureGroup = z.object({
  hosts: z.int().describe('Number of hosts.'),
  first_host: z.string().describe('Name of the first of them.'),
  values: z
    .array(
      z.object({
        values: z.array(z.string()).describe('The most frequent ones first.'),
        more: z.int().describe('Number of further values.'),
      }),
    )
    .describe('One entry for each part of the first form that differs, at most six.'),
});
export type FailureGroup = z.infer<typeof FailureGroup>;

/** In how many tasks a failure was seen. Only tasks that the caller can see count. */
export const FailureSeen = z.object({
  times: z.int().describe('Number of tasks with this failure that have ended.'),
  since: Moment.describe('End of the first of them.'),
  last: Moment.describe('End of the last of them.'),
  first_task_id: Id.nullable().describe('Null if the task was deleted.'),
  last_task_id: Id.nullable().describe('Null if the task was deleted.'),
  fixed_by: Id.nullable().describe(
    'The task that fixed it last: after it, no host of the task with the failure has it. Null for none, and if that task was deleted.',
  ),
});
export type FailureSeen = z.infer<typeof FailureSeen>;

/** Who takes care of a failure. It ends when the failure is fixed. */
export const FailureAssignment = z.object({
  user_id: Id,
  name: z.string().describe('Name of the user.'),
  by: z.string().describe('Name of the user who assigned it: the same one for a failure that a user took.'),
  since: Moment.describe('Since when.'),
  note: z.string().describe('What the user does about it, on one line; empty for none.'),
});
export type FailureAssignment = z.infer<typeof FailureAssignment>;

/** What users wrote about a failure. */
export const FailureRemark = z.object({
  note: z.string().describe('Markdown; empty for none.'),
  note_by: z.string().describe('Name of the user who wrote the note; else empty.'),
  note_at: Moment.nullable().describe('When the note was written; null for none.'),
  known: z.boolean().describe('Whether the failure is known at the moment: it needs no attention.'),
  known_until: Moment.nullable().describe('Until when it is known; null without a time.'),
  known_commit: z.string().describe('It is known in runs of this commit; empty for none.'),
  known_by: z.string().describe('Name of the user who set that it is known; else empty.'),
  known_at: Moment.nullable().describe('When it was set that it is known; else null.'),
  assignment: FailureAssignment.nullable().describe('Who takes care of it; null for no one.'),
});
export type FailureRemark = z.infer<typeof FailureRemark>;

/** Hosts of a task on which the same step failed in the same way. */
export const FailureCluster = z.object({
  fingerprint: z.string().describe('Identifies the failure in every task of the project.'),
  failure_id: Id.nullable().describe('Id of the failure in the project; null until a task with it has ended.'),
  result,
  cause,
  title,
  action,
  step,
  step_number: z.int().describe('Number of the step in the run.'),
  path: z.string().describe('File of the step and its line, as in `roles/base/tasks/main.yml:18`; empty if unknown.'),
  hosts: z.int().describe('Number of hosts.'),
  first_hosts: z.array(z.string()).describe('Names of the first hosts, in the order in which they failed.'),
  first: FailureMember.describe('The first host that failed.'),
  last: FailureMember.describe('The last host that failed.'),
  messages: z.array(FailureMessage).describe('The forms of the message, the most frequent one first.'),
  groups: z.array(FailureGroup).describe('The hosts by the values that differ; empty if the messages are the same.'),
  seen: FailureSeen.nullable().describe('Null if no task with it has ended.'),
  remark: FailureRemark.nullable().describe('Null if nothing was written about it.'),
});
export type FailureCluster = z.infer<typeof FailureCluster>;

export const FailureClusters = z.object({
  first: z.int(),
  total: z.int().describe('Number of clusters.'),
  hosts: z.int().describe('Number of hosts in all clusters.'),
  clusters: z.array(FailureCluster).describe('The clusters, the most hosts first.'),
});
export type FailureClusters = z.infer<typeof FailureClusters>;

export const FailureHosts = z.object({
  first: z.int(),
  total: z.int().describe('Number of matching hosts.'),
  hosts: z
    .array(z.object({ host: z.string(), line: z.int().describe('Number of its first log line.') }))
    .describe('The hosts by name.'),
});
export type FailureHosts = z.infer<typeof FailureHosts>;

export const OpenHosts = z.object({
  first: z.int(),
  total: z.int().describe('Number of hosts.'),
  hosts: z.array(z.string()).describe('Names of the hosts.'),
});
export type OpenHosts = z.infer<typeof OpenHosts>;

/** How a failure develops: it occurs for the first time, again after it was fixed, as before, or no more. */
export const FailureTrend = z.enum(['new', 'returned', 'ongoing', 'gone']);
export type FailureTrend = z.infer<typeof FailureTrend>;

/** A failure of a project: the same in every task. */
export const Failure = z.object({
  id: Id,
  project_id: Id,
  fingerprint: z.string(),
  result,
  cause,
  title,
  action,
  step,
  trend: FailureTrend.describe(
    '`new`: it occurred in one task of the template, and is not fixed there. `returned`: it occurred again after it was fixed. `ongoing`: it occurred in several tasks of the template, and is not fixed there. `gone`: it is fixed on all of its hosts.',
  ),
  template_id: Id.describe('Template of the last task with it.'),
  hosts: z.int().describe('Number of hosts in the last task with it.'),
  open_hosts: z.int().describe('Number of hosts on which it is not fixed.'),
  days: z.array(z.int()).describe('Number of tasks with it on each of the last 14 days in UTC, today last.'),
  seen: FailureSeen.describe('In how many tasks it was seen.'),
  remark: FailureRemark.describe('What users wrote about it.'),
});
export type Failure = z.infer<typeof Failure>;

export const FailurePage = z.object({
  first: z.int(),
  total: z.int().describe('Number of matching failures.'),
  failures: z.array(Failure).describe('The failures, the last seen first.'),
});

/** What a user can write about a failure. */
export const NewFailureRemark = z.object({
  note: text(MAX_NOTE).trim().default('').describe('Markdown; empty for none.'),
  known_until: MomentText.nullable().default(null).describe('The failure is known until this time; null for no time.'),
  known_commit: text(64)
    .regex(/^(?:[0-9a-f]{40}(?:[0-9a-f]{24})?)?$/, fieldError('field.commit'))
    .default('')
    .describe('The failure is known in runs of this commit; empty for none.'),
});
export const FailureChange = changeOf(NewFailureRemark.shape);

/** Who takes care of a failure. */
export const NewFailureAssignment = z.object({
  user_id: OptionalId.default(null).describe('A member of the project. Default: the caller.'),
  note: LineText.default('').describe('What the user does about it, on one line.'),
});
