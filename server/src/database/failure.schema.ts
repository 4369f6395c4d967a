import type { CommonCause } from '@signalbox/contract';
import type { ColumnType } from 'kysely';
import type { Fixed, Id } from './column-types.ts';

/** A failure of a project: the same in every task with this fingerprint. */
export interface FailureTable {
  id: Id;
  project_id: Fixed<number>;
  fingerprint: Fixed<string>;
  result: Fixed<'failed' | 'unreachable'>;
  cause: Fixed<CommonCause | null>;
  action: Fixed<string>;
  /** Those of the first task with it. No longer read: those of each template are in `failure_template`. */
  title: Fixed<string>;
  step: Fixed<string>;
  note: ColumnType<string, string | undefined, string>;
  note_by: ColumnType<string, string | undefined, string>;
  note_at: ColumnType<string | null, string | null | undefined, string | null>;
  known_until: ColumnType<string | null, string | null | undefined, string | null>;
  known_commit: ColumnType<string, string | undefined, string>;
  known_by: ColumnType<string, string | undefined, string>;
  known_at: ColumnType<string | null, string | null | undefined, string | null>;
  /** Who takes care of it until it is fixed. */
  assignee_id: ColumnType<number | null, number | null | undefined, number | null>;
  /** Name of the user who assigned it. */
  assigned_by: ColumnType<string, string | undefined, string>;
  assigned_at: ColumnType<string | null, string | null | undefined, string | null>;
  assignment_note: ColumnType<string, string | undefined, string>;
}

/** How often tasks of a template had a failure, also those that were deleted. */
export interface FailureTemplateTable {
  failure_id: Fixed<number>;
  template_id: Fixed<number>;
  times: number;
  /** Number of runs of the template that had it since it was fixed last. */
  streak: number;
  since: string;
  last: string;
  first_task_id: number;
  last_task_id: number;
  /** Number of hosts in the last task, with title and step of the failure there. */
  hosts: number;
  title: string;
  step: string;
  /** The task that fixed it last: after it, no host had the failure any more. */
  fixed_by: ColumnType<number | null, undefined, number>;
  /** Names of the hosts on which it is not fixed: JSON, compressed, in Base64. Null for those of the last task. */
  open_hosts: ColumnType<string | null, string | undefined, string>;
  open_count: ColumnType<number, number | undefined, number>;
}

/** A failure cluster of an ended task. It stays when the log of the task is removed. */
export interface TaskFailureTable {
  task_id: Fixed<number>;
  failure_id: Fixed<number>;
  template_id: Fixed<number>;
  /** When the task ended. */
  ended: Fixed<string>;
  hosts: Fixed<number>;
  /** The cluster as JSON. */
  cluster: Fixed<string>;
  /** The hosts with the lines of their failures: JSON, compressed, in Base64. */
  host_lines: Fixed<string>;
}
