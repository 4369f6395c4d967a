import { z } from 'zod';
import { ResultRecord } from '../entities/result.ts';
import { LogLine, LogRecord, TaskExpectation } from '../entities/task.ts';
import { Id, Moment } from '../fields.ts';
import { StoredEndReason } from '../messages/end-reasons.ts';
import { TaskStatus } from '../status.ts';

/** A task was created or changed. Sent to every member of its project. */
export const UpdateMessage = z.object({
  type: z.literal('update'),
  project_id: Id,
  task_id: Id,
  template_id: Id,
  status: TaskStatus,
  start: Moment.nullable(),
  end: Moment.nullable(),
  version: z.string().nullable(),
  end_reason: StoredEndReason.nullable(),
});

/** When a running task is expected to end, sent when that has changed. Only for clients that sent `follow`. */
export const ProgressMessage = z.object({
  type: z.literal('progress'),
  project_id: Id,
  task_id: Id,
  template_id: Id,
  ...TaskExpectation.shape,
});

/** One line of a log, for clients that never sent `follow`. */
export const LogMessage = z.object({
  type: z.literal('log'),
  project_id: Id,
  task_id: Id,
  time: Moment,
  output: z.string(),
  source: LogRecord.shape.source,
});

/** Lines of a followed task by number. A client requests the range of missing lines. */
export const LinesMessage = z.object({
  type: z.literal('lines'),
  project_id: Id,
  task_id: Id,
  first: z.int(),
  lines: z.array(LogLine),
});

/** Results of a followed task by number. */
export const ResultsMessage = z.object({
  type: z.literal('results'),
  project_id: Id,
  task_id: Id,
  first: z.int(),
  records: z.array(ResultRecord),
});

/** Sent instead of lines to a client that reads too slowly. Contains the number of stored lines, which the client can request. */
export const BehindMessage = z.object({ type: z.literal('behind'), project_id: Id, task_id: Id, total: z.int() });

/** Parts of a project about whose changes clients are notified, named after the paths of their calls. */
export const ChangedPart = z.enum([
  'project',
  'users',
  'roles',
  'grants',
  'keys',
  'repositories',
  'inventory',
  'environment',
  'templates',
  'schedules',
  'webhooks',
  'views',
  'labels',
  'freeze_windows',
  'filters',
  'tasks',
  'hosts',
  'failures',
  'alerts',
]);
export type ChangedPart = z.infer<typeof ChangedPart>;

/** A part of a project changed, and clients that show it should load it again. Only for clients that sent `follow`. */
export const ChangedMessage = z.object({ type: z.literal('changed'), project_id: Id, part: ChangedPart });

/** Parts of the installation about whose changes administrators are notified. */
export const InstallationPart = z.enum(['users', 'roles', 'runners', 'projects', 'tokens']);
export type InstallationPart = z.infer<typeof InstallationPart>;

/** A part of the installation changed. Only for clients of administrators that sent `follow`. */
export const InstallationMessage = z.object({ type: z.literal('installation'), part: InstallationPart });

/** Messages may have been lost, so clients should load again what they show. Only for clients that sent `follow`. */
export const MissedMessage = z.object({ type: z.literal('missed') });

export const LiveMessage = z.discriminatedUnion('type', [
  UpdateMessage,
  ProgressMessage,
  LogMessage,
  LinesMessage,
  ResultsMessage,
  BehindMessage,
  ChangedMessage,
  InstallationMessage,
  MissedMessage,
]);
export type LiveMessage = z.infer<typeof LiveMessage>;

/** Maximum number of tasks that one socket may follow. */
export const MAX_FOLLOWED = 50;

/**
 * The message of a client: requests `lines`, `results` and `behind` of exactly these tasks, and no `log`.
 * Each such message replaces the one before.
 */
export const FollowMessage = z.object({ type: z.literal('follow'), tasks: z.array(Id).max(MAX_FOLLOWED) });
export type FollowMessage = z.infer<typeof FollowMessage>;
