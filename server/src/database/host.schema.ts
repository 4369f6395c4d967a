import type { CommonCause, HostRunOutcome } from '@signalbox/contract';
import type { ColumnType } from 'kysely';
import type { Fixed, Id } from './column-types.ts';

/** The history of a host in a project; null where something never happened. */
export interface HostTable {
  id: Id;
  project_id: Fixed<number>;
  host: Fixed<string>;
  last_success: string | null;
  last_success_task: number | null;
  last_change: string | null;
  last_change_task: number | null;
  last_failure: string | null;
  last_failure_task: number | null;
  /** JSON of the last runs, newest first. */
  runs: string;
}

/** How the runs of one template ended on one host. */
export interface HostTemplateTable {
  host_id: Fixed<number>;
  template_id: Fixed<number>;
  /** Task of the last run; it may have been deleted. */
  task_id: number;
  /** When the last run ended, in milliseconds since 1970. */
  ended: number;
  outcome: HostRunOutcome;
  /** The failure of the last run; null and empty without one. */
  cause: CommonCause | null;
  title: string;
  /** Number of runs, also of those that are no longer in `past`. */
  runs: number;
  /** Number of the day since 1970 in UTC to which the last letter of `days` belongs. */
  last_day: number;
  /** One letter for each of the last days. */
  days: string;
  /** JSON of the last runs, newest first. */
  past: string;
  /** JSON list of the groups of the host in the last run that reported them; null before. */
  group_names: ColumnType<string | null, string | null | undefined, string>;
}

/** A version of the facts of a host: as they were from one run to another. */
export interface HostFactTable {
  host_id: Fixed<number>;
  /** When the run that first gathered it ended, in milliseconds since 1970, with its task and template. */
  ended: Fixed<number>;
  task_id: Fixed<number>;
  template_id: Fixed<number>;
  /** The same of the last run that gathered it. */
  seen_ended: number;
  seen_task_id: number;
  seen_template_id: number;
  /** The same for equal facts. */
  digest: string;
  /** The facts: JSON, compressed, in Base64. */
  facts: string;
}

/** What one run changed on one host. */
export interface HostChangeTable {
  host_id: Fixed<number>;
  task_id: Fixed<number>;
  template_id: Fixed<number>;
  /** When the run ended, in milliseconds since 1970. */
  ended: Fixed<number>;
  /** Number of changes. */
  count: number;
  /** The changes: JSON, compressed, in Base64. */
  changes: string;
}
