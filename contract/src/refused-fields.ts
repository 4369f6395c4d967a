/** A field that changes a run or security in Semaphore UI and has no counterpart in Signalbox. */
export interface RefusedField {
  /** What to do instead, as the end of a sentence. */
  readonly instead: string;
  /** The only values that are accepted besides null. Default: the empty values `""`, `false`, `0`, `[]` and `{}`. */
  readonly accepted?: readonly (string | number | boolean)[];
}

/** Refused fields by name. `params.x` is the field `x` of the object `params`, `params.*` every field that `params` does not define. */
export type RefusedFields = Readonly<Record<string, RefusedField>>;

const OTHER_TEMPLATE = 'make a template for it and run that';

/** Refused when a task starts. */
export const REFUSED_FOR_TASK: RefusedFields = {
  'params.*': { instead: 'params takes limit, tags, skip_tags, debug, debug_level, dry_run and diff' },
  tags: { instead: 'send params.tags' },
  skip_tags: { instead: 'send params.skip_tags' },
  inventory: { instead: OTHER_TEMPLATE },
  secret: { instead: 'keep secret values in the secret variables of an environment' },
  environment_ids: { instead: OTHER_TEMPLATE },
  runner_tag: { instead: 'tasks run on any runner' },
};

/** Refused in a template. Toggles such as `task_params.allow_override_limit` are accepted, because each task is checked when it starts. */
export const REFUSED_FOR_TEMPLATE: RefusedFields = {
  app: { instead: 'only Ansible playbooks run here', accepted: ['', 'ansible'] },
  git_branch: { instead: 'set the branch of the repository' },
  limit: { instead: 'put --limit into arguments' },
  'task_params.limit': { instead: 'put --limit into arguments' },
  'task_params.tags': { instead: 'put --tags into arguments' },
  'task_params.skip_tags': { instead: 'put --skip-tags into arguments' },
  tags: { instead: 'put --tags into arguments' },
  skip_tags: { instead: 'put --skip-tags into arguments' },
  vaults: { instead: 'set vault_key_id' },
  environment_ids: { instead: 'set environment_id' },
  working_directory: { instead: 'the playbook runs in the top folder of the repository', accepted: ['', '.'] },
  runner_tag: { instead: 'tasks run on any runner' },
  executor_image: { instead: 'tasks run on the runner itself' },
  cron: { instead: 'add a schedule' },
};

/** Refused in a schedule. */
export const REFUSED_FOR_SCHEDULE: RefusedFields = {
  type: { instead: 'only schedules with a cron exist here', accepted: ['', 'cron'] },
  run_at: { instead: 'only schedules with a cron exist here' },
  delete_after_run: { instead: 'delete the schedule with a call of its own' },
  task_params: { instead: 'make a template with these values and schedule that' },
  task_params_id: { instead: 'make a template with these values and schedule that' },
};

/** Refused in an inventory. */
export const REFUSED_FOR_INVENTORY: RefusedFields = {
  repository_id: { instead: 'a file is taken from the repository of the template' },
  runner_tag: { instead: 'tasks run on any runner' },
};

/** Fields that name external secret stores for keys and environments. */
const SECRET_STORAGE: RefusedFields = {
  source_storage_id: { instead: 'secrets are stored encrypted in the database' },
  source_storage_key: { instead: 'secrets are stored encrypted in the database' },
  source_storage_type: { instead: 'secrets are stored encrypted in the database' },
};

/** Refused in a key. */
export const REFUSED_FOR_KEY: RefusedFields = {
  ...SECRET_STORAGE,
  string: { instead: 'use a key of type login_password' },
};

/** Refused in an environment. */
export const REFUSED_FOR_ENVIRONMENT: RefusedFields = {
  password: { instead: 'set the vault key of the template' },
  secret_storage_id: { instead: 'secrets are stored encrypted in the database' },
  secret_storage_key_prefix: { instead: 'secrets are stored encrypted in the database' },
};

/** Refused in a runner: every runner takes the tasks of every project. */
export const REFUSED_FOR_RUNNER: RefusedFields = {
  project_id: { instead: 'a runner takes tasks of all projects' },
  tag: { instead: 'tasks run on any runner' },
  tags: { instead: 'tasks run on any runner' },
  active: { instead: 'delete the runner to turn it off', accepted: [true] },
  max_parallel_tasks: { instead: 'start the runner with the number of its slots' },
  webhook: { instead: 'runners are started by hand or by the system' },
};
