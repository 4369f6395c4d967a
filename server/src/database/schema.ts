import type {
  AppName,
  EndReasonCode,
  InventoryType,
  KeyType,
  Language,
  RoleSlug,
  SecretVariableType,
  TaskStatus,
  TemplateType,
} from '@signalbox/contract';
import type { ColumnType, Generated } from 'kysely';
import type { AlertDeliveryTable, AlertReceiverTable, AlertTable } from './alert.schema.ts';
import type { LeaseSecretTable, ServerKeysTable } from './encryption.schema.ts';
import type { EventTable } from './event.schema.ts';
import type { HeldSignInTable, RecoveryCodeTable, SecondFactorTable } from './second-factor.schema.ts';
import type { AddressProofTable, IdentityTable, SignInAttemptTable, UsedReturnTable } from './sign-in.schema.ts';

/** Booleans are 0 and 1, moments RFC 3339 texts in UTC: the same values in both databases, and both sort as they should. */
export type Flag = 0 | 1;
type Id = Generated<number>;
/** Set once, at the insert. */
type Fixed<T> = ColumnType<T, T, never>;

export interface UserTable {
  id: Id;
  username: string;
  /** Lower case, for signing in without regard to case; unique. */
  username_key: string;
  name: string;
  email: string;
  email_key: string;
  /** Whether an admin or a provider set the address, or its owner proved it. An unproven address only receives alerts. */
  email_proven: ColumnType<Flag, Flag | undefined, Flag>;
  password_hash: string;
  admin: Flag;
  alert: Flag;
  external: Flag;
  can_create_project: Flag;
  billing: Flag;
  /** What messages to them are written in; null while nobody said. */
  language: ColumnType<Language | null, Language | null | undefined, Language | null>;
  /** Whether a second factor is on; its secret is elsewhere. */
  second_factor: ColumnType<0 | 1, 0 | 1 | undefined, 0 | 1>;
  created: Fixed<string>;
}

export interface SessionTable {
  id: Id;
  user_id: Fixed<number>;
  token_hash: Fixed<string>;
  created: Fixed<string>;
  expires: string;
  address: Fixed<string>;
}

export interface ApiTokenTable {
  id: Id;
  user_id: Fixed<number>;
  name: Fixed<string>;
  token_hash: Fixed<string>;
  /** How the token begins, so that people can tell theirs apart. */
  prefix: Fixed<string>;
  created: Fixed<string>;
  last_used: string | null;
  /** When the token stops working; null for never. */
  expires_at: ColumnType<string | null, string | null | undefined, never>;
}

export interface ProjectTable {
  id: Id;
  name: string;
  alert: Flag;
  alert_chat: string;
  alert_language: ColumnType<Language, Language | undefined, Language>;
  max_parallel_tasks: number;
  created: Fixed<string>;
}

export interface ProjectUserTable {
  project_id: Fixed<number>;
  user_id: Fixed<number>;
  role: RoleSlug;
}

export interface AccessKeyTable {
  id: Id;
  project_id: Fixed<number>;
  name: string;
  type: KeyType;
  /** Encrypted JSON of the secret, bound to this row; empty for keys of type none. */
  secret: string;
}

export interface RepositoryTable {
  id: Id;
  project_id: Fixed<number>;
  name: string;
  git_url: string;
  git_branch: string;
  ssh_key_id: number;
}

export interface InventoryTable {
  id: Id;
  project_id: Fixed<number>;
  name: string;
  type: InventoryType;
  inventory: string;
  ssh_key_id: number;
  become_key_id: number | null;
}

export interface EnvironmentTable {
  id: Id;
  project_id: Fixed<number>;
  name: string;
  json: string;
  env: string;
}

export interface EnvironmentSecretTable {
  id: Id;
  environment_id: Fixed<number>;
  name: string;
  type: SecretVariableType;
  /** Encrypted, bound to this row. */
  secret: string;
}

export interface ViewTable {
  id: Id;
  project_id: Fixed<number>;
  title: string;
  position: number;
}

export interface TemplateTable {
  id: Id;
  project_id: Fixed<number>;
  name: string;
  description: string;
  app: ColumnType<AppName, AppName | undefined, AppName>;
  type: TemplateType;
  playbook: string;
  /** Null for an app without inventories. */
  inventory_id: number | null;
  environment_id: number;
  repository_id: number;
  vault_key_id: number | null;
  view_id: number | null;
  start_version: string | null;
  build_template_id: number | null;
  autorun: Flag;
  suppress_success_alerts: Flag;
  arguments: string;
  allow_override_args_in_task: Flag;
  allow_parallel_tasks: Flag;
  /** Seconds; 0 means no limit. */
  max_duration: ColumnType<number, number | undefined, number>;
  survey_vars: string;
  /** What the template lost when it was imported, separated by commas; empty once a user has saved the template. */
  lost_at_import: ColumnType<string, string | undefined, string>;
  last_task_id: number | null;
  /** Days that finished tasks and their logs are kept, and how many of the newest are kept whatever their age: null means as the system has it, 0 days for ever. */
  keep_tasks_days: ColumnType<number | null, number | null | undefined, number | null>;
  keep_logs_days: ColumnType<number | null, number | null | undefined, number | null>;
  keep_tasks_min: ColumnType<number | null, number | null | undefined, number | null>;
  /** Counts launches; updating it first is what makes two launches of a template wait for each other. */
  launches: ColumnType<number, number | undefined, number>;
}

export interface ScheduleTable {
  id: Id;
  project_id: Fixed<number>;
  template_id: number;
  repository_id: number | null;
  name: string;
  cron_format: string;
  /** The zone that `next_due` was computed in. */
  timezone: string;
  active: Flag;
  /** The oldest due time that was not handled; null while it is paused. Whoever moves it on handles it. */
  next_due: string | null;
  /** The newest due time that was handled. */
  last_due: ColumnType<string | null, undefined, string | null>;
  /** When it last started a task. */
  last_fired: ColumnType<string | null, undefined, string | null>;
  /** The commit of `repository_id` that it last started a task for. */
  seen_commit: ColumnType<string | null, undefined, string | null>;
}

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
  debug: Fixed<Flag>;
  dry_run: Fixed<Flag>;
  diff: Fixed<Flag>;
  created: Fixed<string>;
  start_time: ColumnType<string | null, undefined, string>;
  end_time: ColumnType<string | null, undefined, string>;
  /** A commit that was asked for, instead of the newest of the branch. */
  wanted_commit: Fixed<string | null>;
  commit_hash: string | null;
  commit_message: ColumnType<string, undefined, string>;
  /** The runner that holds the lease; null while nobody was given the task. */
  runner_id: ColumnType<number | null, undefined, number | null>;
  /** Counts leases: what an older lease says is refused. */
  epoch: ColumnType<number, undefined, number>;
  /** Set when the log was kept long enough: it is answered as empty from then on. */
  log_removed: ColumnType<Flag, undefined, Flag>;
  /** Name of the user who started it, once they are deleted; else empty. */
  deleted_user: ColumnType<string, undefined, string>;
  /** Set when it was asked to stop by force. */
  stop_forced: ColumnType<Flag, undefined, Flag>;
  /**
   * Why the task failed or was stopped; null if it did neither, or if the reason is unknown. A task that is being stopped has
   * the reason of the stop already.
   */
  end_reason: ColumnType<EndReasonCode | null, undefined, EndReasonCode | null>;
  /** The parameters of `end_reason` as JSON. */
  end_params: ColumnType<string | null, undefined, string | null>;
  /** Name of the schedule that started the task, also after the schedule was deleted; else empty. */
  schedule_name: ColumnType<string, string | undefined, never>;
  /** The schedule that started it; null when a user started it, or the schedule was deleted. */
  schedule_id: ColumnType<number | null, number | null | undefined, never>;
  /** Name of the runner that claimed the task last, also after the runner was deleted. */
  runner_name: ColumnType<string, undefined, never>;
  /** Lines of its log when it ended; null for a task without a log, and for one that ended before this was counted. */
  log_lines: ColumnType<number | null, undefined, number>;
}

/** A log that is to be removed, written in the transaction of the reason; the row goes when the log is gone. */
export interface LogRemovalTable {
  id: Id;
  task_id: Fixed<number>;
}

export interface RunnerTable {
  id: Id;
  name: string;
  token_hash: string;
  slots: number;
  created: Fixed<string>;
  /** Grows with each heartbeat that any server hears: observers count it on their own clock. */
  beats: ColumnType<number, undefined, number>;
  /** Since when nobody has heard it though it has something to do; null while it is heard. */
  unreachable_since: ColumnType<string | null, undefined, string | null>;
  /** Identity of the process that was admitted last; null for a runner that never sent one. */
  process: ColumnType<string | null, undefined, string | null>;
  /** Identity of the link of that process, to any server; null while it has none. */
  connection: ColumnType<string | null, undefined, string | null>;
  /** Set by another process that asks to be admitted, and cleared by the heartbeat of the process with the link. */
  challenger: ColumnType<string | null, undefined, string | null>;
  /** When another process with the token of this runner was last refused. */
  duplicate_seen: ColumnType<string | null, undefined, string | null>;
}

/** What a runner was asked beside its tasks, by whom, and until when it may have the secrets that the answer needs. */
export interface QuestionTable {
  id: Id;
  project_id: Fixed<number>;
  /** Who asked; null for a schedule. */
  user_id: Fixed<number | null>;
  address: Fixed<string>;
  runner_id: Fixed<number>;
  runner_name: Fixed<string>;
  ask: Fixed<string>;
  object_type: Fixed<string>;
  object_id: Fixed<number | null>;
  created: Fixed<string>;
  expires: Fixed<string>;
  /** Null while the lease holds. */
  ended: ColumnType<string | null, undefined, string>;
  outcome: ColumnType<QuestionOutcome | null, undefined, QuestionOutcome>;
}

export type QuestionOutcome =
  | 'answered'
  | 'refused'
  | 'timed_out'
  | 'runner_left'
  | 'revoked'
  | 'not_sent'
  | 'left_over';

/** What all runs of a project did to one host; null where it never happened. */
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
  /** JSON of its last runs, newest first. */
  runs: string;
}

/** A run that has ended and is not written down in the ledger of hosts, written in the transaction that ends it. */
export interface HostLedgerDueTable {
  id: Id;
  project_id: Fixed<number>;
  task_id: Fixed<number>;
  ended: Fixed<string>;
}

export interface StateSchema {
  users: UserTable;
  session: SessionTable;
  second_factor: SecondFactorTable;
  recovery_code: RecoveryCodeTable;
  held_sign_in: HeldSignInTable;
  sign_in_attempt: SignInAttemptTable;
  address_proof: AddressProofTable;
  identity: IdentityTable;
  used_return: UsedReturnTable;
  api_token: ApiTokenTable;
  project: ProjectTable;
  project_user: ProjectUserTable;
  access_key: AccessKeyTable;
  repository: RepositoryTable;
  inventory: InventoryTable;
  environment: EnvironmentTable;
  environment_secret: EnvironmentSecretTable;
  view: ViewTable;
  template: TemplateTable;
  schedule: ScheduleTable;
  task: TaskTable;
  log_removal: LogRemovalTable;
  runner: RunnerTable;
  event: EventTable;
  lease_secret: LeaseSecretTable;
  server_keys: ServerKeysTable;
  question: QuestionTable;
  host: HostTable;
  host_ledger_due: HostLedgerDueTable;
  alert_receiver: AlertReceiverTable;
  alert: AlertTable;
  alert_delivery: AlertDeliveryTable;
}

/** What is known of a task's log without reading it. */
export interface LogHeadTable {
  task_id: Fixed<number>;
  epoch: number;
  next_line: number;
  /** Bytes of the run's raw output that the stored lines came from. */
  offset: number;
  next_result: number;
  /** Bytes of text in blocks that are not compacted yet. */
  loose_bytes: number;
  /** The same of results. */
  loose_results: number;
  sealed: Flag;
}

/**
 * Some lines of a log (stream `output`) or some results (stream `results`), addressed by the number of the first; or
 * where which results are (stream `index`), once a long run has ended.
 */
export interface LogBlockTable {
  task_id: Fixed<number>;
  stream: Fixed<'output' | 'results' | 'index'>;
  first: Fixed<number>;
  count: Fixed<number>;
  /** `loose` blocks are as they came, `packed` ones are many of them in one, compressed. */
  kind: Fixed<'loose' | 'packed'>;
  data: Fixed<Uint8Array>;
}

export interface LogSchema {
  log_head: LogHeadTable;
  log_block: LogBlockTable;
}
