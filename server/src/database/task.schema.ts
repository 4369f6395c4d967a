import type {
  AppName,
  ApprovalRule,
  ApprovalState,
  EndReasonCode,
  RetentionSource,
  TaskStatus,
  TemplateType,
} from '@signalbox/contract';
import type { ColumnType } from 'kysely';
import type { Fixed, FixedOrNull, Flag, Id } from './column-types.ts';

export interface TaskTable {
  id: Id;
  project_id: Fixed<number>;
  template_id: Fixed<number>;
  /** That of its template when the task was started. */
  app: ColumnType<AppName, AppName | undefined, never>;
  user_id: Fixed<number | null>;
  status: TaskStatus;
  message: Fixed<string>;
  version: Fixed<string | null>;
  tpl_type: Fixed<TemplateType>;
  tpl_alias: Fixed<string>;
  tpl_playbook: Fixed<string>;
  build_task_id: Fixed<number | null>;
  arguments: Fixed<string>;
  environment: Fixed<string>;
  limit_hosts: Fixed<string>;
  /** JSON lists of tags. */
  tags: ColumnType<string, string | undefined, never>;
  skip_tags: ColumnType<string, string | undefined, never>;
  verbosity: ColumnType<number, number | undefined, never>;
  forks: FixedOrNull<number>;
  /** Null for an app without inventories, and for a task of an earlier version, which uses that of its template. */
  inventory_id: FixedOrNull<number>;
  /** Null for a task of an earlier version, which uses that of its template. */
  environment_id: FixedOrNull<number>;
  /** Null for the branch of the repository; empty for the default branch. */
  git_branch: FixedOrNull<string>;
  /** Passwords of vaults as JSON; null for those of the template. */
  vaults: FixedOrNull<string>;
  /** Null for the time limit of the template. */
  max_duration: FixedOrNull<number>;
  /** The tags that its runner needs, sorted, as JSON. */
  runner_tags: ColumnType<string, string | undefined, never>;
  /** Where its programs come from, as JSON; null for a task of an earlier version, which uses those of the runner. */
  execution_environment: FixedOrNull<string>;
  priority: ColumnType<number, number | undefined, never>;
  /** The names of its locks, sorted, as JSON. */
  locks: ColumnType<string, string | undefined, never>;
  /** Whether it locks the hosts of its run. */
  lock_hosts: ColumnType<Flag, Flag | undefined, never>;
  debug: Fixed<Flag>;
  dry_run: Fixed<Flag>;
  diff: Fixed<Flag>;
  created: Fixed<string>;
  start_time: ColumnType<string | null, undefined, string>;
  end_time: ColumnType<string | null, undefined, string>;
  /** The requested commit; null for the newest of the branch. */
  wanted_commit: Fixed<string | null>;
  commit_hash: string | null;
  commit_message: ColumnType<string, undefined, string>;
  /** The runner that holds the lease; null while no runner does. */
  runner_id: ColumnType<number | null, undefined, number | null>;
  /** Counts leases. Messages about an older lease are refused. */
  epoch: ColumnType<number, undefined, number>;
  /** Set when retention has removed the log, which then reads as empty. Its results stay. */
  log_removed: ColumnType<Flag, undefined, Flag>;
  /** When that was, how many days logs were kept, and by whose setting. Null if an earlier version removed it. */
  log_removed_at: ColumnType<string | null, undefined, string>;
  log_removed_days: ColumnType<number | null, undefined, number>;
  log_removed_by: ColumnType<RetentionSource | null, undefined, RetentionSource>;
  /** Compressed sizes of its log, also after the log was removed, and of its results; null before they are measured. */
  log_bytes: ColumnType<number | string | null, undefined, number>;
  result_bytes: ColumnType<number | string | null, undefined, number>;
  /** Whether a user keeps it with its log. */
  kept: ColumnType<Flag, undefined, Flag>;
  /** Set when the log is in the log store, or when there is nothing to move. */
  log_moved: ColumnType<Flag, undefined, Flag>;
  /** Name of the deleted user who started the task; otherwise empty. */
  deleted_user: ColumnType<string, undefined, string>;
  /** Whether a stop by force was requested. */
  stop_forced: ColumnType<Flag, undefined, Flag>;
  /**
   * Why the task failed or was stopped; null if it did neither, or if the reason is unknown. Stored before the end
   * while a task is being stopped.
   */
  end_reason: ColumnType<EndReasonCode | null, undefined, EndReasonCode | null>;
  /** The parameters of `end_reason` as JSON. */
  end_params: ColumnType<string | null, undefined, string | null>;
  /** Name of the schedule that started the task, also after the schedule was deleted; else empty. */
  schedule_name: ColumnType<string, string | undefined, never>;
  /** The schedule that started it; null when a user started it, or the schedule was deleted. */
  schedule_id: ColumnType<number | null, number | null | undefined, never>;
  /** The task of the same schedule that must end before this one starts; null for none. */
  after_task_id: ColumnType<number | null, number | null | undefined, never>;
  /** Name of the API token of the call that started the task; else empty. */
  token_name: ColumnType<string, string | undefined, never>;
  /** Name of the webhook that started the task, also after the webhook was deleted; else empty. */
  webhook_name: ColumnType<string, string | undefined, never>;
  webhook_id: ColumnType<number | null, number | null | undefined, never>;
  /** Name of the freeze window in which a user started or approved the task nevertheless, and the reason; else empty. */
  freeze_window: ColumnType<string, string | undefined, string>;
  freeze_reason: ColumnType<string, string | undefined, string>;
  /** Id of this window, also after it was deleted, and the begin of its time then; null without one. */
  freeze_window_id: ColumnType<number | null, number | null | undefined, number | null>;
  freeze_from: ColumnType<string | null, string | null | undefined, string | null>;
  /** Who must approve the task before a runner gets it, and what became of it. */
  approval: ColumnType<ApprovalRule, ApprovalRule | undefined, never>;
  approval_state: ColumnType<ApprovalState, ApprovalState | undefined, ApprovalState>;
  /** Id of the user who may not approve it if someone else must; null without one. Also after the user was deleted. */
  approval_starter: ColumnType<number | null, number | null | undefined, never>;
  /** Name and comment of the user who approved or rejected it; else empty. */
  approval_by: ColumnType<string, undefined, string>;
  approval_comment: ColumnType<string, undefined, string>;
  /** Digests of the inventory and the environment that a runner got; null for earlier versions, and where there is none. */
  inventory_digest: ColumnType<string | null, undefined, string | null>;
  environment_digest: ColumnType<string | null, undefined, string | null>;
  /** The arguments of its template when it started, as JSON; null before that, and for tasks of earlier versions. */
  tpl_arguments: ColumnType<string | null, undefined, string | null>;
  /** Name of the runner that claimed the task last, also after the runner was deleted. */
  runner_name: ColumnType<string, undefined, string>;
  /** Number of log lines when the task ended; null for a task without a log, and for tasks of older versions. */
  log_lines: ColumnType<number | null, undefined, number>;
}
