import type { EndReason, TaskStatus, TemplateType } from '@signalbox/contract';

/** What is told of a task, as it was when it ended: it may be changed or deleted before somebody is told. */
export interface AlertFacts {
  readonly project: { readonly id: number; readonly name: string };
  readonly template: { readonly id: number; readonly name: string; readonly type: TemplateType };
  readonly task: {
    readonly id: number;
    readonly status: TaskStatus;
    /** Why it failed or was stopped; absent for a success, and if the reason is unknown. */
    readonly end_reason?: EndReason | undefined;
    readonly playbook: string;
    /** Null for what neither builds nor deploys. */
    readonly version: string | null;
    readonly build_task_id: number | null;
    /** What whoever started it wrote beside it. */
    readonly message: string;
    readonly commit_hash: string | null;
    readonly commit_message: string;
    readonly dry_run: boolean;
    readonly created: string;
    /** Null when it ended before a runner took it. */
    readonly start: string | null;
    readonly end: string;
  };
  /** Name of whoever started it; empty when nobody did. */
  readonly user: string;
  /** Name of the schedule that started it; empty when none did. */
  readonly schedule: string;
}

/** What the results of a run say about its failure. Secrets are masked in them already. */
export interface Findings {
  /** Names of the first hosts that failed or could not be reached. */
  readonly hosts: readonly string[];
  /** How many there are. */
  readonly hosts_total: number;
  readonly first_error: { readonly host: string; readonly step: string; readonly message: string } | null;
}

export const NO_FINDINGS: Findings = { hosts: [], hosts_total: 0, first_error: null };
