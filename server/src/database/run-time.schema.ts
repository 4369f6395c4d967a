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
