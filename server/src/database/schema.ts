import type { InventoryType, KeyType, Language, NewTemplate, SecretVariableType, Template } from '@signalbox/contract';
import type { ColumnType } from 'kysely';
import type { AccessGrantTable, CustomRoleTable, ProjectUserTable, UserGroupTable } from './access.schema.ts';
import type { AlertDeliveryTable, AlertReceiverTable, AlertTable } from './alert.schema.ts';
import type { AuditDestinationTable, AuditEntryTable } from './audit.schema.ts';
import type { Fixed, FixedOrNull, Flag, Id } from './column-types.ts';
import type { LeaseSecretTable, ServerKeysTable } from './encryption.schema.ts';
import type { EventTable } from './event.schema.ts';
import type { FailureTable, FailureTemplateTable, TaskFailureTable } from './failure.schema.ts';
import type { FreezeWindowTable } from './freeze.schema.ts';
import type { HostTables } from './host.schema.ts';
import type { LogObjectTable, LogStoreTable } from './log-store.schema.ts';
import type { LogBlockTable, LogHeadTable } from './logs.schema.ts';
import type { OutboxTable } from './outbox.schema.ts';
import type { PublicLinkTable } from './public-link.schema.ts';
import type { RunTimeTable, SilentAlertTable, SlowerTemplateTable, TaskVersionTable } from './run-time.schema.ts';
import type { RunnerRegistrationTable } from './runner-registration.schema.ts';
import type { SavedFilterTable } from './saved-filter.schema.ts';
import type { SavedLaunchTable } from './saved-launch.schema.ts';
import type { ScheduleSecretTable, ScheduleTable } from './schedule.schema.ts';
import type { HeldSignInTable, RecoveryCodeTable, SecondFactorTable } from './second-factor.schema.ts';
import type { AddressProofTable, IdentityTable, SignInAttemptTable, UsedReturnTable } from './sign-in.schema.ts';
import type { ProjectStorageTable, TemplateStorageTable } from './storage.schema.ts';
import type { TaskTable } from './task.schema.ts';
import type { LabelTable, TemplateLabelTable, ViewTable } from './template-list.schema.ts';
import type { ApiTokenTable } from './token.schema.ts';
import type { WebhookCallTable, WebhookDeliveryTable, WebhookSecretTable, WebhookTable } from './webhook.schema.ts';

export interface UserTable {
  id: Id;
  username: string;
  /** Lower case, for case-insensitive sign-in; unique. */
  username_key: string;
  name: string;
  email: string;
  email_key: string;
  /**
   * Whether an admin or a provider set the address, or its owner confirmed it. An unconfirmed address gets no alerts.
   */
  email_proven: ColumnType<Flag, Flag | undefined, Flag>;
  password_hash: string;
  admin: Flag;
  alert: Flag;
  external: Flag;
  can_create_project: Flag;
  billing: Flag;
  /** Language of messages to the user; null if not chosen. */
  language: ColumnType<Language | null, Language | null | undefined, Language | null>;
  /** Whether a second factor is enabled. Its secret is in another table. */
  second_factor: ColumnType<0 | 1, 0 | 1 | undefined, 0 | 1>;
  /** Whether it is a service account, which can't sign in and only has API tokens. Never changes. */
  service: ColumnType<Flag, Flag | undefined, never>;
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

export interface ProjectTable {
  id: Id;
  name: string;
  alert: Flag;
  alert_chat: string;
  alert_language: ColumnType<Language, Language | undefined, Language>;
  alert_silent_hosts: ColumnType<Flag, Flag | undefined, Flag>;
  collect_facts: ColumnType<Flag, Flag | undefined, Flag>;
  /** Null for the setting of the system. */
  keep_tasks_days: ColumnType<number | null, number | null | undefined, number | null>;
  keep_logs_days: ColumnType<number | null, number | null | undefined, number | null>;
  keep_tasks_min: ColumnType<number | null, number | null | undefined, number | null>;
  max_parallel_tasks: number;
  /** JSON list of the tags that a runner needs for anything of the project. */
  runner_tags: ColumnType<string, string | undefined, string>;
  /** JSON; null for the default of the system. */
  execution_environment: ColumnType<string | null, string | null | undefined, string | null>;
  created: Fixed<string>;
}

export interface AccessKeyTable {
  id: Id;
  project_id: Fixed<number>;
  name: string;
  type: KeyType;
  /** Encrypted JSON; the id of the row is part of the encryption context. Empty for keys of type none. */
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
  /** JSON list of the runner tags of templates that have none. */
  runner_tags: ColumnType<string, string | undefined, string>;
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
  /** Encrypted. The id of the row is part of the encryption context. */
  secret: string;
}

/** A secret answer to the survey of a task that has not ended. */
export interface TaskSecretTable {
  id: Id;
  task_id: Fixed<number>;
  /** Name of the variable. */
  name: Fixed<string>;
  /** Encrypted. The id of the row is part of the encryption context. */
  secret: string;
}

/** The column type of a field of the API: flags are 0 or 1, lists and objects are JSON. */
type ColumnOf<T> = [T] extends [boolean]
  ? Flag
  : [T] extends [object]
    ? string
    : [T] extends [object | null]
      ? string | null
      : T;

/**
 * The fields that a request for a template sets are columns of the same name: a new field needs only a migration. Its
 * labels are in a table of their own.
 */
type TemplateFields = {
  [K in Exclude<keyof typeof NewTemplate.shape, 'labels'>]: ColumnType<
    ColumnOf<Template[K]>,
    ColumnOf<Template[K]> | undefined,
    ColumnOf<Template[K]>
  >;
};

export interface TemplateTable extends TemplateFields {
  id: Id;
  project_id: Fixed<number>;
  /** Fields that the template lost when it was imported, separated by commas; empty after a user has saved the template. */
  lost_at_import: ColumnType<string, string | undefined, string>;
  last_task_id: number | null;
  /** Counts launches. Updating it first makes concurrent launches of a template wait for each other. */
  launches: ColumnType<number, number | undefined, number>;
}

/**
 * An object that a list of a template names: the key of a vault, or an inventory or environment that a user may choose. Its
 * foreign key prevents that the object is deleted. One of the three is not null.
 */
export interface TemplateObjectTable {
  template_id: Fixed<number>;
  vault_key_id: FixedOrNull<number>;
  inventory_id: FixedOrNull<number>;
  environment_id: FixedOrNull<number>;
}

export interface RunnerTable {
  id: Id;
  name: string;
  token_hash: string;
  slots: number;
  /** JSON list of tags. */
  tags: ColumnType<string, string | undefined, string>;
  description: ColumnType<string, string | undefined, string>;
  /** Whether it gets no new task and no query. */
  paused: ColumnType<Flag, Flag | undefined, Flag>;
  /** Whether it only takes tasks of the projects in `runner_project`; without a row there, it takes none. */
  projects_limited: ColumnType<Flag, Flag | undefined, Flag>;
  /** What it last reported: its version, a JSON list of its apps, and the user that executes its tasks. */
  version: ColumnType<string, undefined, string>;
  apps: ColumnType<string, undefined, string>;
  /** JSON list of the kinds of execution environments that it can provide. */
  environments: ColumnType<string, string | undefined, string>;
  run_as: ColumnType<string | null, undefined, string | null>;
  /** When it was last connected. Stored every few minutes while it is. */
  last_contact: ColumnType<string | null, undefined, string | null>;
  /** Identity of the process that must end after its tasks. It differs from `process` once another one runs. */
  drain_process: ColumnType<string | null, undefined, string | null>;
  created: Fixed<string>;
  /** Increases with each heartbeat. Observers measure the time between changes on their own clocks. */
  heartbeats: ColumnType<number, undefined, number>;
  /** Since when a runner with work is silent; null while it sends heartbeats. */
  unreachable_since: ColumnType<string | null, undefined, string | null>;
  /** Identity of the process that was admitted last; null for a runner that never sent one. */
  process: ColumnType<string | null, undefined, string | null>;
  /** Identity of the link of that process, to any server; null while it has none. */
  connection: ColumnType<string | null, undefined, string | null>;
  /** Identity of another process that asks to be admitted. Cleared by a heartbeat of the connected process. */
  challenger: ColumnType<string | null, undefined, string | null>;
  /** When another process with the token of this runner was last refused. */
  duplicate_seen: ColumnType<string | null, undefined, string | null>;
  /** Hash of the token that was sent to the runner and replaces its token once the runner has stored it. */
  pending_token_hash: ColumnType<string | null, undefined, string | null>;
  /** Hash of the token before the current one. It no longer works; a process that uses it has a copy. */
  previous_token_hash: ColumnType<string | null, undefined, string | null>;
  /** When the token was last replaced; null for the first one. */
  token_changed: ColumnType<string | null, undefined, string | null>;
  /** Whether the runner is deleted when it has ended. */
  ephemeral: ColumnType<Flag, Flag | undefined, never>;
  /** When an ephemeral runner is deleted if it has no contact until then; null for other runners. */
  expires: ColumnType<string | null, string | null | undefined, string | null>;
  /** Number of tasks that it has claimed. */
  claims: ColumnType<number, undefined, number>;
}

/** A lock of a task that has not ended. */
export interface TaskLockTable {
  task_id: Fixed<number>;
  project_id: Fixed<number>;
  name: Fixed<string>;
  /** Whether other tasks with shared locks of the name may run too. */
  shared: Fixed<Flag>;
}

/** The hosts that a task locks, which has not ended. */
export interface TaskHostsTable {
  task_id: Fixed<number>;
  project_id: Fixed<number>;
  /** Whether other tasks with shared locks of the hosts may run too. */
  shared: Fixed<Flag>;
  /** Digest of `hosts`; empty until a runner has listed them. */
  digest: ColumnType<string, undefined, string>;
  /** Names, sorted, as JSON. */
  hosts: ColumnType<string, undefined, string>;
  /** The commit whose playbook was read, which the run uses; null for a plain folder. */
  commit_hash: ColumnType<string | null, undefined, string | null>;
  /** Time before which no server lists the hosts; empty for any time. */
  next_attempt: ColumnType<string, undefined, string>;
}

/** The turn of a project on a pool of runners. A project that never started a task there has no row. */
export interface ProjectTurnTable {
  /** Digest of the tags of the runners. */
  pool: string;
  project_id: number;
  /** The lowest turn of the projects that waited when this one started its last task. */
  lowest_turn: number;
  /** The lowest turn at which it starts its next task. */
  next_turn: number;
}

/** A project of which a runner with limited projects takes tasks. */
export interface RunnerProjectTable {
  runner_id: Fixed<number>;
  project_id: Fixed<number>;
}

/** A query to a runner that is linked to another server than the one that asks. */
export interface RelayedQueryTable {
  /** Its lease in `runner_query`. */
  query_id: Fixed<number>;
  runner_id: Fixed<number>;
  /** The encrypted query with its secrets; null once a server has sent it to the runner. */
  query: string | null;
  /** The encrypted answer; null until there is one. */
  answer: string | null;
  expires: Fixed<string>;
}

/** A query to a runner: who requested it, and until when the runner may have the secrets for it. */
export interface RunnerQueryTable {
  id: Id;
  project_id: Fixed<number>;
  /** The user who requested the query; null for a schedule. */
  user_id: Fixed<number | null>;
  address: Fixed<string>;
  runner_id: Fixed<number>;
  runner_name: Fixed<string>;
  ask: Fixed<string>;
  object_type: Fixed<string>;
  object_id: Fixed<number | null>;
  created: Fixed<string>;
  expires: Fixed<string>;
  /** Null while the lease is valid. */
  ended: ColumnType<string | null, undefined, string>;
  outcome: ColumnType<QueryOutcome | null, undefined, QueryOutcome>;
}

export type QueryOutcome =
  | 'answered'
  | 'refused'
  | 'timed_out'
  | 'runner_left'
  | 'revoked'
  | 'not_sent'
  | 'left_over'
  | 'cancelled';

/** One row, once there is a backup. */
export interface LastBackupTable {
  id: ColumnType<number, number, never>;
  made: string;
}

export interface StateSchema extends HostTables {
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
  custom_role: CustomRoleTable;
  access_grant: AccessGrantTable;
  user_group: UserGroupTable;
  access_key: AccessKeyTable;
  repository: RepositoryTable;
  inventory: InventoryTable;
  environment: EnvironmentTable;
  environment_secret: EnvironmentSecretTable;
  view: ViewTable;
  saved_filter: SavedFilterTable;
  saved_launch: SavedLaunchTable;
  label: LabelTable;
  template_label: TemplateLabelTable;
  freeze_window: FreezeWindowTable;
  template: TemplateTable;
  template_object: TemplateObjectTable;
  schedule: ScheduleTable;
  schedule_secret: ScheduleSecretTable;
  public_link: PublicLinkTable;
  webhook: WebhookTable;
  webhook_secret: WebhookSecretTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_call: WebhookCallTable;
  task: TaskTable;
  task_secret: TaskSecretTable;
  runner: RunnerTable;
  runner_project: RunnerProjectTable;
  project_turn: ProjectTurnTable;
  task_lock: TaskLockTable;
  task_hosts: TaskHostsTable;
  event: EventTable;
  lease_secret: LeaseSecretTable;
  server_keys: ServerKeysTable;
  runner_query: RunnerQueryTable;
  relayed_query: RelayedQueryTable;
  runner_registration: RunnerRegistrationTable;
  failure: FailureTable;
  failure_template: FailureTemplateTable;
  task_failure: TaskFailureTable;
  run_time: RunTimeTable;
  task_version: TaskVersionTable;
  slower_template: SlowerTemplateTable;
  silent_alert: SilentAlertTable;
  outbox: OutboxTable;
  alert_receiver: AlertReceiverTable;
  alert: AlertTable;
  alert_delivery: AlertDeliveryTable;
  audit_destination: AuditDestinationTable;
  audit_entry: AuditEntryTable;
  last_backup: LastBackupTable;
  log_store: LogStoreTable;
  log_object: LogObjectTable;
  template_storage: TemplateStorageTable;
  project_storage: ProjectStorageTable;
}

export interface LogSchema {
  log_head: LogHeadTable;
  log_block: LogBlockTable;
}
