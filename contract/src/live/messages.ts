import { z } from 'zod';
import { ResultRecord } from '../entities/result.ts';
import { LogLine, LogRecord } from '../entities/task.ts';
import { Id, Moment } from '../fields.ts';
import { ToldEndReason } from '../messages/end-reasons.ts';
import { TaskStatus } from '../status.ts';

/** A task changed, or is new. Goes to every member of its project. */
export const UpdateMessage = z.object({
  type: z.literal('update'),
  project_id: Id,
  task_id: Id,
  template_id: Id,
  status: TaskStatus,
  start: Moment.nullable(),
  end: Moment.nullable(),
  version: z.string().nullable(),
  end_reason: ToldEndReason.nullable(),
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

/** Lines of a followed task by number; a client that finds a gap asks for the range. */
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

/** Instead of lines, to a client that reads too slowly: so many lines are stored now, ask for the range. */
export const BehindMessage = z.object({ type: z.literal('behind'), project_id: Id, task_id: Id, total: z.int() });

/** Parts of a project that may change under the eyes of somebody, by the first word of their calls. */
export const ChangedPart = z.enum([
  'project',
  'users',
  'keys',
  'repositories',
  'inventory',
  'environment',
  'templates',
  'schedules',
  'views',
  'tasks',
  'hosts',
  'alerts',
]);
export type ChangedPart = z.infer<typeof ChangedPart>;

/** Somebody changed a part of a project: who shows it asks for it again. Only for clients that sent `follow`. */
export const ChangedMessage = z.object({ type: z.literal('changed'), project_id: Id, part: ChangedPart });

/** Parts of the installation that an administrator may change under the eyes of another. */
export const InstallationPart = z.enum(['users', 'runners', 'projects']);
export type InstallationPart = z.infer<typeof InstallationPart>;

/** Somebody changed a part of the installation. Only for administrators' clients that sent `follow`. */
export const InstallationMessage = z.object({ type: z.literal('installation'), part: InstallationPart });

export const LiveMessage = z.discriminatedUnion('type', [
  UpdateMessage,
  LogMessage,
  LinesMessage,
  ResultsMessage,
  BehindMessage,
  ChangedMessage,
  InstallationMessage,
]);
export type LiveMessage = z.infer<typeof LiveMessage>;

/** Most tasks that one socket may follow. */
export const MAX_FOLLOWED = 50;

/**
 * What a client may say: from now on it wants `lines`, `results` and `behind` of exactly these tasks, and `log` of none.
 * Each such message replaces the one before.
 */
export const FollowMessage = z.object({ type: z.literal('follow'), tasks: z.array(Id).max(MAX_FOLLOWED) });
export type FollowMessage = z.infer<typeof FollowMessage>;
