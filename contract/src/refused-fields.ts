import { AppName } from './apps/apps.ts';
import type { Instead } from './messages/error-parts.ts';

/** A field that changes a run or security in Semaphore UI and has no counterpart in Signalbox. */
export interface RefusedField {
  /** The message, which names what to do instead. */
  readonly instead: Instead;
  /** The only values that are accepted in addition to null. Default: the empty values `""`, `false`, `0`, `[]` and `{}`. */
  readonly accepted?: readonly (string | number | boolean)[];
}

/** Refused fields by name. `params.x` is the field `x` of the object `params`, `params.*` every field that `params` does not define. */
export type RefusedFields = Readonly<Record<string, RefusedField>>;

/** Refused when a task starts. */
export const REFUSED_FOR_TASK: RefusedFields = {
  'params.*': { instead: 'instead.task_params' },
  inventory: { instead: 'instead.other_template' },
  secret: { instead: 'instead.secret_variables' },
  environment_ids: { instead: 'instead.other_template' },
  runner_tag: { instead: 'instead.runner_tags' },
};

/** Refused in a template. Toggles such as `task_params.allow_override_limit` are accepted, because each task is checked when it starts. */
export const REFUSED_FOR_TEMPLATE: RefusedFields = {
  app: { instead: 'instead.ansible_only', accepted: ['', ...AppName.options] },
  git_branch: { instead: 'instead.repository_branch' },
  limit: { instead: 'instead.template_options' },
  'task_params.limit': { instead: 'instead.template_options' },
  'task_params.tags': { instead: 'instead.template_options' },
  'task_params.skip_tags': { instead: 'instead.template_options' },
  tags: { instead: 'instead.template_options' },
  skip_tags: { instead: 'instead.template_options' },
  environment_ids: { instead: 'instead.environment' },
  working_directory: { instead: 'instead.top_folder', accepted: ['', '.'] },
  runner_tag: { instead: 'instead.runner_tags' },
  executor_image: { instead: 'instead.runner_itself' },
  cron: { instead: 'instead.schedule' },
};

/** Refused in everything that has launch values: a schedule, a webhook and a saved launch. */
export const REFUSED_LAUNCH_VALUES: RefusedFields = {
  'launch_values.*': { instead: 'instead.launch_fields' },
};

/** Refused in a schedule. */
export const REFUSED_FOR_SCHEDULE: RefusedFields = {
  ...REFUSED_LAUNCH_VALUES,
  delete_after_run: { instead: 'instead.delete_schedule' },
  task_params: { instead: 'instead.launch_values' },
  task_params_id: { instead: 'instead.launch_values' },
};

/** Refused in an inventory. */
export const REFUSED_FOR_INVENTORY: RefusedFields = {
  repository_id: { instead: 'instead.template_repository' },
  runner_tag: { instead: 'instead.runner_tags' },
};

/** Fields that name external secret stores for keys and environments. */
const SECRET_STORAGE: RefusedFields = {
  source_storage_id: { instead: 'instead.database_secrets' },
  source_storage_key: { instead: 'instead.database_secrets' },
  source_storage_type: { instead: 'instead.database_secrets' },
};

/** Refused in a key. */
export const REFUSED_FOR_KEY: RefusedFields = {
  ...SECRET_STORAGE,
  string: { instead: 'instead.login_password' },
};

/** Refused in an environment. */
export const REFUSED_FOR_ENVIRONMENT: RefusedFields = {
  password: { instead: 'instead.template_vault_key' },
  secret_storage_id: { instead: 'instead.database_secrets' },
  secret_storage_key_prefix: { instead: 'instead.database_secrets' },
};

/** Refused in a runner. */
export const REFUSED_FOR_RUNNER: RefusedFields = {
  project_id: { instead: 'instead.runner_projects' },
  tag: { instead: 'instead.runner_tags' },
  active: { instead: 'instead.pause_runner', accepted: [true] },
  max_parallel_tasks: { instead: 'instead.runner_slots' },
  webhook: { instead: 'instead.start_runner' },
};
