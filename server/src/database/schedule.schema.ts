import type { Overlap } from '@signalbox/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Flag } from './column-types.ts';

export interface ScheduleTable {
  id: Generated<number>;
  project_id: ColumnType<number, number, never>;
  template_id: number;
  repository_id: number | null;
  name: string;
  /** Empty for a schedule with `run_at` or `interval_seconds`. */
  cron_format: string;
  run_at: ColumnType<string | null, string | null | undefined, string | null>;
  interval_seconds: ColumnType<number | null, number | null | undefined, number | null>;
  /** The time zone that was set for this schedule; null for that of its cron or of the server. */
  own_timezone: ColumnType<string | null, string | null | undefined, string | null>;
  /** Time zone in which `next_due` was computed. */
  timezone: string;
  starts_at: ColumnType<string | null, string | null | undefined, string | null>;
  ends_at: ColumnType<string | null, string | null | undefined, string | null>;
  /** What happens while its last task has not ended; null for what its template allows. */
  overlap: ColumnType<Overlap | null, Overlap | null | undefined, Overlap | null>;
  /** The longest random delay of a start. */
  jitter_seconds: ColumnType<number, number | undefined, number>;
  /** The random delay of `next_due`. */
  delay_seconds: ColumnType<number, number | undefined, number>;
  /** What its tasks are started with, as JSON without secret answers. */
  launch_values: ColumnType<string, string | undefined, string>;
  /** Names of the answers, as JSON, that the survey did not have when a user saved them who may set other variables. */
  extra_variables: ColumnType<string, string | undefined, string>;
  /** The saved launch that replaces these values; null for values of its own. */
  saved_launch_id: ColumnType<number | null, number | null | undefined, number | null>;
  /** Why the last due time started no task, as the kind and the parameters of an event; null if it did. */
  problem_kind: ColumnType<string | null, undefined, string | null>;
  problem_params: ColumnType<string | null, undefined, string | null>;
  problem_time: ColumnType<string | null, undefined, string | null>;
  /** Counts changes by users, so that a due time is handled as the schedule was when it was read. */
  revision: ColumnType<number, undefined, number>;
  active: Flag;
  /** The oldest unhandled due time; null while paused. The server that updates it handles it. */
  next_due: string | null;
  /** The newest handled due time. */
  last_due: ColumnType<string | null, undefined, string | null>;
  /** The oldest due time that a freeze window holds; null without one. */
  held_due: ColumnType<string | null, undefined, string | null>;
  /** When the task of the held due time starts; null without one. */
  held_until: ColumnType<string | null, undefined, string | null>;
  /** When the schedule last started a task. */
  last_fired: ColumnType<string | null, undefined, string | null>;
  /** The commit of `repository_id` for which it last started a task. */
  seen_commit: ColumnType<string | null, undefined, string | null>;
}

/** A secret answer with which a schedule starts its tasks. */
export interface ScheduleSecretTable {
  id: Generated<number>;
  schedule_id: ColumnType<number, number, never>;
  /** Name of the variable. */
  name: ColumnType<string, string, never>;
  /** Encrypted. The id of the row is part of the encryption context. */
  secret: string;
}
