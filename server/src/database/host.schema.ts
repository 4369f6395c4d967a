import type { CommonCause, FactName, HostRunOutcome } from '@signalbox/contract';
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

/** How one template last ended on one host, as short rows for lists. Times are in milliseconds since 1970. */
export interface HostStateTable {
  host_id: Fixed<number>;
  template_id: Fixed<number>;
  /** The last run; its task may have been deleted. */
  task_id: number;
  ended: number;
  outcome: HostRunOutcome;
  /** The last run without a failure, with a change, and with a failure; null without one. */
  last_success: number | null;
  last_success_task: number | null;
  last_change: number | null;
  last_change_task: number | null;
  last_failure: number | null;
  last_failure_task: number | null;
  /** When the last run that reported groups, and facts, ended; null before. */
  groups_ended: ColumnType<number | null, number | null | undefined, number | null>;
  facts_ended: ColumnType<number | null, number | null | undefined, number | null>;
}

/** A group of a host in the last run of a template that reported groups. */
export interface HostGroupTable {
  host_id: Fixed<number>;
  template_id: Fixed<number>;
  name: Fixed<string>;
}

/** A fact of a host, as the last run of a template that gathered facts knew it. */
export interface HostFactValueTable {
  host_id: Fixed<number>;
  template_id: Fixed<number>;
  fact: Fixed<FactName>;
  /** The value as text, and if it is a number, as a number too. */
  value: string;
  number: number | null;
}

/** A host that a listing of an inventory had. */
export interface HostInventoryTable {
  host_id: Fixed<number>;
  inventory_id: Fixed<number>;
  /** When a listing no longer had it, in milliseconds since 1970; null while the last one has it. */
  vanished: number | null;
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

/** The tables of hosts by their names. */
export interface HostTables {
  host: HostTable;
  host_template: HostTemplateTable;
  host_state: HostStateTable;
  host_group: HostGroupTable;
  host_fact: HostFactTable;
  host_fact_value: HostFactValueTable;
  host_change: HostChangeTable;
  host_inventory: HostInventoryTable;
}
