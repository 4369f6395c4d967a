import { type ExecutionEnvironment, FINAL_STATUSES, type Language, type Project } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import { lockTemplates } from '../../database/queries/lock-templates.ts';
import type { ProjectTable } from '../../database/schema.ts';
import { readEnvironment } from '../../execution-environments.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { queueLogsOf } from '../../logs/log-removal.ts';

export const presentProject = (row: Selectable<ProjectTable>): Project => ({
  id: row.id,
  name: row.name,
  alert: row.alert === 1,
  alert_chat: row.alert_chat,
  alert_language: row.alert_language,
  alert_silent_hosts: row.alert_silent_hosts === 1,
  collect_facts: row.collect_facts === 1,
  keep_tasks_days: row.keep_tasks_days,
  keep_logs_days: row.keep_logs_days,
  keep_tasks_min: row.keep_tasks_min,
  max_parallel_tasks: row.max_parallel_tasks,
  runner_tags: JSON.parse(row.runner_tags) as string[],
  execution_environment: readEnvironment(row.execution_environment),
  created: row.created,
});

export interface ProjectInput {
  readonly name: string;
  readonly alert: boolean;
  readonly alert_chat: string;
  readonly alert_language: Language;
  readonly alert_silent_hosts: boolean;
  readonly collect_facts: boolean;
  readonly keep_tasks_days: number | null;
  readonly keep_logs_days: number | null;
  readonly keep_tasks_min: number | null;
  readonly max_parallel_tasks: number;
  readonly runner_tags: readonly string[];
  readonly execution_environment: ExecutionEnvironment | null;
}

export const projectColumns = (input: ProjectInput) => ({
  name: input.name,
  alert: input.alert ? (1 as const) : (0 as const),
  alert_chat: input.alert_chat,
  alert_language: input.alert_language,
  alert_silent_hosts: input.alert_silent_hosts ? (1 as const) : (0 as const),
  collect_facts: input.collect_facts ? (1 as const) : (0 as const),
  keep_tasks_days: input.keep_tasks_days,
  keep_logs_days: input.keep_logs_days,
  keep_tasks_min: input.keep_tasks_min,
  max_parallel_tasks: input.max_parallel_tasks,
  runner_tags: JSON.stringify(input.runner_tags),
  execution_environment: input.execution_environment && JSON.stringify(input.execution_environment),
});

/** @throws not_permitted if a caller who is no admin changes which runners a project uses */
export const checkRunnerTags = (
  before: readonly string[],
  { runner_tags }: Pick<ProjectInput, 'runner_tags'>,
  caller: { readonly admin: boolean },
): void => {
  if (!caller.admin && JSON.stringify(runner_tags) !== JSON.stringify(before))
    throw new ApiError('not_permitted.admin_fields', { fields: 'runner_tags' });
};

/** Deletes the facts of the hosts of a project. */
export const deleteFacts = async (tx: StateTransaction, id: number): Promise<void> => {
  for (const table of ['host_fact', 'host_fact_value'] as const)
    await tx
      .deleteFrom(table)
      .where('host_id', 'in', (eb) => eb.selectFrom('host').select('id').where('project_id', '=', id))
      .execute();
};

/** Locks a project until the transaction ends, by an update that changes nothing. @throws not_found */
export const lockProject = async (tx: StateTransaction, id: number): Promise<Selectable<ProjectTable>> => {
  const row = await tx
    .updateTable('project')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
};

/**
 * Deletes a project with everything in it.
 * @throws conflict while a task of the project is waiting or running
 */
export const deleteProject = async (tx: StateTransaction, id: number): Promise<void> => {
  // After this no task can be started, and tasks that were started before are visible to the check below.
  await lockTemplates(tx, { project: id });
  const active = await tx
    .selectFrom('task')
    .select('id')
    .where('project_id', '=', id)
    .where('status', 'not in', FINAL_STATUSES)
    .limit(1)
    .executeTakeFirst();
  if (active) throw new ApiError('conflict.task_not_ended', { id: active.id });
  await queueLogsOf(tx, { projectId: id });
  // Each table comes before the tables that its rows refer to.
  for (const table of ['template', 'inventory', 'repository', 'environment', 'access_key', 'view'] as const) {
    await tx.deleteFrom(table).where('project_id', '=', id).execute();
  }
  await tx.deleteFrom('project').where('id', '=', id).execute();
};

/** Creates a project with its first owner. */
export const insertProject = async (
  tx: StateTransaction,
  input: ProjectInput,
  ownerId: number,
  now: Date,
): Promise<Selectable<ProjectTable>> => {
  const row = await tx
    .insertInto('project')
    .values({ ...projectColumns(input), created: now.toISOString() })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx.insertInto('project_user').values({ project_id: row.id, user_id: ownerId, role: 'owner' }).execute();
  return row;
};
