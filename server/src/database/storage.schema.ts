import type { Fixed } from './column-types.ts';

/** What the tasks of a template used when they were last measured, in bytes. */
export interface TemplateStorageTable {
  template_id: Fixed<number>;
  project_id: Fixed<number>;
  tasks: number;
  /** Number and size of the logs that exist. */
  logs: number;
  log_bytes: number;
  result_bytes: number;
  /** Written by the tasks of the last 30 days. */
  written: number;
  /** What retention removes in the next 30 days if tasks write as much as in the last 30, also of what they write. */
  expiring: number;
  /** How sizes are distributed over ages, as JSON. */
  curve: string;
  measured: string;
}

/** What is stored about the hosts of a project. */
export interface ProjectStorageTable {
  project_id: Fixed<number>;
  host_bytes: number;
  measured: string;
}
