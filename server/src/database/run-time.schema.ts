import type { Fixed } from './column-types.ts';

/** How long the steps of an ended run took. It stays when the log of the task is removed. */
export interface RunTimeTable {
  task_id: Fixed<number>;
  template_id: Fixed<number>;
  /** The same for runs with the same limit, tags, inventory and mode, which can be compared. */
  options: Fixed<string>;
  succeeded: Fixed<number>;
  /** Milliseconds from the start of the task to the first play. */
  lead: Fixed<number>;
  /** Milliseconds from the start of the task to its end. */
  total: Fixed<number>;
  hosts: Fixed<number>;
  /** Number of results that changed something; null for runs of earlier versions. */
  changed: Fixed<number | null>;
  /** The times of the steps and of the slowest hosts: JSON, compressed, in Base64. */
  times: Fixed<string>;
}

/** A step of a task about whose silent hosts an alert was stored. */
export interface SilentAlertTable {
  task_id: Fixed<number>;
  step: Fixed<number>;
}

/** What an ended task was executed with. */
export interface TaskVersionTable {
  task_id: Fixed<number>;
  /** `RunVersions` as JSON. */
  versions: string;
}

/** From which run on a template is slower. A template that is not has no row. */
export interface SlowerTemplateTable {
  template_id: Fixed<number>;
  /** The first slower task, and the one before. */
  task_id: number;
  before_id: number;
  /** Medians of the runs before and from it on, in milliseconds. */
  before_ms: number;
  after_ms: number;
  /** Name of the step that accounts for most of the difference; empty if there is none. */
  step: string;
}
