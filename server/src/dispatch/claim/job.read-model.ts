import { appOf, DEBUG_VERBOSITY, type ExecutionEnvironment, SYSTEM_ENVIRONMENT } from '@signalbox/contract';
import { type Access, JobSpec, type RepositorySource } from '@signalbox/contract/link';
import type { Selectable } from 'kysely';
import type { StateReader } from '../../database/database.ts';
import type { TemplateTable } from '../../database/schema.ts';
import type { TaskTable } from '../../database/task.schema.ts';
import { type EnvironmentRules, readEnvironment, refusalOf, registryKeyOf } from '../../execution-environments.ts';
import type { HostNames } from '../../secrets/host-names.ts';
import { decryptKeySecret } from '../../secrets/key-secret.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { decryptTaskSecret } from '../../secrets/task-secret.ts';
import { decryptVariable } from '../../secrets/variable-secret.ts';
import { readVaults, vaultsOfTemplate } from '../../template-vaults.ts';
import { JobError } from './job-error.ts';

type Template = Selectable<TemplateTable>;

/** What reading a key or a repository needs. */
export type SecretDeps = Pick<JobDeps, 'db' | 'master'>;

export interface JobDeps {
  readonly environments: EnvironmentRules;
  readonly db: StateReader;
  readonly master: MasterKey;
  readonly hostNames: HostNames;
  /** Returns the address of a task in the console. Playbooks may print it. */
  readonly taskUrl: (projectId: number, taskId: number) => string;
}

/** Reads and decrypts a key. */
export const readAccess = async ({ db, master }: SecretDeps, keyId: number): Promise<Access> => {
  const row = await db
    .selectFrom('access_key')
    .select(['id', 'name', 'type', 'secret'])
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow();
  const access = decryptKeySecret(master, row);
  return access.type === 'ssh' ? { ...access, key: { id: row.id, name: row.name } } : access;
};

/** Reads a repository with its decrypted key, as runner queries need it. */
export const readRepositorySource = async (deps: SecretDeps, repositoryId: number): Promise<RepositorySource> => {
  const row = await deps.db
    .selectFrom('repository')
    .selectAll()
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    project_id: row.project_id,
    url: row.git_url,
    branch: row.git_branch,
    access: await readAccess(deps, row.ssh_key_id),
  };
};

const vaultPassword = async (deps: JobDeps, keyId: number): Promise<string> => {
  const key = await readAccess(deps, keyId);
  if (key.type !== 'login_password') throw new Error(`Key ${keyId} of a vault holds no password.`);
  return key.password;
};

/** Decrypts the passwords of a run's vaults: those of the task, or else those of its template. */
const openVaults = async (deps: JobDeps, template: Template, ofTask: string | null) => {
  const vaults = ofTask === null ? vaultsOfTemplate(template) : readVaults(ofTask);
  const passwords = await Promise.all(
    vaults.map(async ({ name, vault_key_id }) => ({ name, password: await vaultPassword(deps, vault_key_id) })),
  );
  return {
    vault_password: passwords.find(({ name }) => name === '')?.password ?? null,
    vault_passwords: passwords.filter(({ name }) => name !== ''),
  };
};

/** Decrypts the secret variables of an environment: environment variables and variables of the playbook. */
const openSecrets = async ({ db, master }: JobDeps, environmentId: number) => {
  const rows = await db
    .selectFrom('environment_secret')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .execute();
  const ofType = (type: 'var' | 'env'): Record<string, string> =>
    Object.fromEntries(rows.filter((row) => row.type === type).map((row) => [row.name, decryptVariable(master, row)]));
  return { secret_variables: ofType('var'), secret_environment: ofType('env') };
};

/** Decrypts the secret answers to the survey of a task. */
const openSecretAnswers = async ({ db, master }: JobDeps, taskId: number): Promise<Record<string, string>> => {
  const rows = await db.selectFrom('task_secret').selectAll().where('task_id', '=', taskId).execute();
  return Object.fromEntries(rows.map((row) => [row.name, decryptTaskSecret(master, row)]));
};

const asTexts = (json: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(JSON.parse(json) as Record<string, unknown>).map(([name, value]) => [name, String(value)]),
  );

const readInventory = async (deps: JobDeps, id: number) => {
  const row = await deps.db.selectFrom('inventory').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return {
    type: row.type,
    inventory: row.inventory,
    access: await readAccess(deps, row.ssh_key_id),
    become: row.become_key_id === null ? null : await readAccess(deps, row.become_key_id),
  };
};

/** The inventory and the passwords of vaults, for apps that have them: no other key is decrypted. */
const readAppSecrets = async (deps: JobDeps, template: Template, task: Selectable<TaskTable>) => {
  const { features } = appOf(task.app);
  const inventory = task.inventory_id ?? template.inventory_id;
  return {
    ...(features.inventory && inventory !== null ? { inventory: await readInventory(deps, inventory) } : {}),
    ...(features.vault ? await openVaults(deps, template, task.vaults) : {}),
  };
};

/**
 * Arguments for the options of a task, each in one argument with its value, so that a value is never an option. `debug` is a
 * field of the job; other verbosities are arguments, which older runners know too.
 */
const optionArguments = (task: Selectable<TaskTable>): string[] => {
  const [tags, skipped] = [task.tags, task.skip_tags].map((json) => (JSON.parse(json) as string[]).join(','));
  const { verbosity, forks } = task;
  return [
    ...(tags === '' ? [] : [`--tags=${tags}`]),
    ...(skipped === '' ? [] : [`--skip-tags=${skipped}`]),
    ...(forks === null ? [] : [`--forks=${forks}`]),
    ...(verbosity === 0 || verbosity === DEBUG_VERBOSITY ? [] : [`-${'v'.repeat(verbosity)}`]),
  ];
};

/** The login of the registry of a container image. A key that was deleted or moved gives none. */
const readRegistryAccess = async (
  deps: JobDeps,
  projectId: number,
  environment: ExecutionEnvironment,
): Promise<Access> => {
  const id = registryKeyOf(environment);
  if (id === null) return { type: 'none' };
  const key = await deps.db
    .selectFrom('access_key')
    .select('type')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return key?.type === 'login_password' ? await readAccess(deps, id) : { type: 'none' };
};

/** An administrator may have forbidden the kind while the task waited. @throws JobError */
const checkAllowed = ({ environments }: JobDeps, environment: ExecutionEnvironment): void => {
  if (environments.allowed.includes(environment.kind)) return;
  const params = refusalOf(environments, environment);
  throw new JobError(
    `The setting SIGNALBOX_EXECUTION_ENVIRONMENTS does not allow the execution environment ${params.kind} any more, only: ${params.allowed}.`,
    { code: 'execution_environment.not_allowed', params },
  );
};

const lockedHosts = ({ hostNames }: JobDeps, projectId: number, hosts: string): string[] =>
  (JSON.parse(hosts) as string[]).map((host) => hostNames.decrypt(projectId, host));

/**
 * Reads everything that a runner needs for one task, with the secrets of this task opened.
 * @throws JobError if the task must not start
 */
export const readJob = async (deps: JobDeps, taskId: number): Promise<JobSpec> => {
  const { db } = deps;
  const task = await db
    .selectFrom('task')
    .innerJoin('project', 'project.id', 'task.project_id')
    .leftJoin('users', 'users.id', 'task.user_id')
    .selectAll('task')
    .leftJoin('task_hosts', 'task_hosts.task_id', 'task.id')
    .select([
      'project.collect_facts',
      'users.username',
      'task_hosts.digest',
      'task_hosts.hosts',
      'task_hosts.commit_hash as listed_commit',
    ])
    .where('task.id', '=', taskId)
    .executeTakeFirstOrThrow();
  const template = await db
    .selectFrom('template')
    .selectAll()
    .where('id', '=', task.template_id)
    .executeTakeFirstOrThrow();
  const environment = await db
    .selectFrom('environment')
    .selectAll()
    .where('id', '=', task.environment_id ?? template.environment_id)
    .executeTakeFirstOrThrow();
  const repository = await readRepositorySource(deps, template.repository_id);
  const secrets = await openSecrets(deps, environment.id);
  const environmentOfRun = readEnvironment(task.execution_environment) ?? SYSTEM_ENVIRONMENT;
  checkAllowed(deps, environmentOfRun);
  // Every value that an app can have; the schema of the job keeps those of its app.
  return JobSpec.parse({
    app: task.app,
    task_id: task.id,
    epoch: task.epoch,
    project_id: task.project_id,
    template_name: template.name,
    repository: { ...repository, branch: task.git_branch ?? repository.branch },
    // The playbook of this commit was read to list the hosts.
    commit: task.wanted_commit ?? task.listed_commit,
    playbook: template.playbook,
    ...(await readAppSecrets(deps, template, task)),
    extra_variables: JSON.parse(environment.json),
    // Answers take precedence over the environment.
    secret_variables: { ...secrets.secret_variables, ...(await openSecretAnswers(deps, task.id)) },
    secret_environment: secrets.secret_environment,
    answers: JSON.parse(task.environment),
    task_details: {
      id: task.id,
      username: task.username ?? '',
      url: deps.taskUrl(task.project_id, task.id),
      ...(task.message === '' ? {} : { message: task.message }),
      ...(task.tpl_type === 'build' ? { type: 'build', target_version: task.version ?? '' } : {}),
      ...(task.tpl_type === 'deploy' ? { type: 'deploy', incoming_version: task.version ?? '' } : {}),
    },
    process_environment: asTexts(environment.env),
    execution_environment: environmentOfRun,
    registry_access: await readRegistryAccess(deps, task.project_id, environmentOfRun),
    max_duration: task.max_duration ?? template.max_duration,
    arguments: [
      ...(JSON.parse(template.arguments) as string[]),
      ...optionArguments(task),
      ...(JSON.parse(task.arguments) as string[]),
    ],
    limit: task.limit_hosts,
    locked_hosts: task.digest ? lockedHosts(deps, task.project_id, task.hosts ?? '[]') : null,
    debug: task.verbosity === DEBUG_VERBOSITY,
    facts: task.collect_facts === 1,
    dry_run: task.dry_run === 1,
    diff: task.diff === 1,
  });
};
