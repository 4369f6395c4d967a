import type { EndReason, Message, SilentHosts, TaskStatus, TemplateType } from '@signalbox/contract';
import type { NamedFailure } from '@signalbox/lang';

interface Origin {
  readonly project: { readonly id: number; readonly name: string };
  readonly template: { readonly id: number; readonly name: string; readonly type: TemplateType };
}

/** Who or what started a task. */
export interface Starter {
  /** Name of the user who started the task; empty for tasks that no user started. */
  readonly user: string;
  /** Name of the schedule that started the task; otherwise empty. */
  readonly schedule: string;
  /** Name of the webhook that started the task; otherwise empty. Alerts that an earlier version stored have none. */
  readonly webhook?: string;
}

/** The values of a task when it ended. Stored, because the task may be changed or deleted before the alert is sent. */
export interface TaskAlertInput extends Origin, Starter {
  readonly task: {
    readonly id: number;
    readonly status: TaskStatus;
    /** Why it failed or was stopped; absent for a success, and if the reason is unknown. */
    readonly end_reason?: EndReason | undefined;
    readonly playbook: string;
    /** Null for tasks that neither build nor deploy. */
    readonly version: string | null;
    readonly build_task_id: number | null;
    /** The message that was entered when the task was started. */
    readonly message: string;
    readonly commit_hash: string | null;
    readonly commit_message: string;
    readonly dry_run: boolean;
    readonly created: string;
    /** Null when the task ended before a runner started it. */
    readonly start: string | null;
    readonly end: string;
  };
}

/** A due time at which a schedule could not start a task. */
export interface ScheduleAlertInput extends Origin {
  readonly not_started: {
    readonly schedule: { readonly id: number; readonly name: string };
    readonly due: string;
    readonly reason: Message;
  };
}

/** What a user approves: the options of the task that differ from those of its template, and its answers. */
export interface ApprovedValues {
  /** Name of the inventory; empty for that of the template. */
  readonly inventory: string;
  readonly limit: string;
  readonly branch: string;
  readonly arguments: readonly string[];
  /** Without secret answers. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** A task that waits for an approval. Alerts that an earlier version stored have no values of it. */
export interface ApprovalAlertInput extends Origin, Starter {
  readonly pending: Pick<
    TaskAlertInput['task'],
    'id' | 'playbook' | 'version' | 'build_task_id' | 'message' | 'created'
  > &
    Partial<ApprovedValues>;
}

/** A running task with hosts that do not answer. */
export interface SilentAlertInput extends Origin {
  readonly silent: SilentHosts & Pick<TaskAlertInput['task'], 'id' | 'playbook'>;
}

export type AlertInput = TaskAlertInput | ScheduleAlertInput | ApprovalAlertInput | SilentAlertInput;

/** A failure cluster. Alerts that an earlier version stored have no fingerprint and step of it. */
export type AlertedFailure = NamedFailure & { readonly fingerprint?: string; readonly step?: string };

/** Details of a failure from the results of the run. Secrets are already masked. */
export interface Findings {
  /** Names of the first hosts that failed or were unreachable. */
  readonly hosts: readonly string[];
  /** Number of all such hosts. */
  readonly hosts_total: number;
  /** The clusters with the most hosts. Findings that an earlier version stored have none. */
  readonly failures?: readonly AlertedFailure[];
  /** Number of all clusters. */
  readonly failures_total?: number;
  readonly first_error: { readonly host: string; readonly step: string; readonly message: string } | null;
}

export const NO_FINDINGS: Findings = { hosts: [], hosts_total: 0, first_error: null };
