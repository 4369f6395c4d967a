import { FINAL_STATUSES, type Language, type Project } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import type { ProjectTable } from '../../database/schema.ts';
import { ApiError, notFound } from '../../http/api-error.ts';
import { queueLogsOf } from '../../logs/log-removal.ts';

export const presentProject = (row: Selectable<ProjectTable>): Project => ({
  id: row.id,
  name: row.name,
  alert: row.alert === 1,
  alert_chat: row.alert_chat,
  alert_language: row.alert_language,
  max_parallel_tasks: row.max_parallel_tasks,
  created: row.created,
});

export interface ProjectFacts {
  readonly name: string;
  readonly alert: boolean;
  readonly alert_chat: string;
  readonly alert_language: Language;
  readonly max_parallel_tasks: number;
}

export const projectColumns = (facts: ProjectFacts) => ({
  name: facts.name,
  alert: facts.alert ? (1 as const) : (0 as const),
  alert_chat: facts.alert_chat,
  alert_language: facts.alert_language,
  max_parallel_tasks: facts.max_parallel_tasks,
});

/** Holds a project until the transaction ends. */
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
 * Deletes a project and everything in it.
 * @throws conflict while a task of it is active or waits
 */
export const deleteProject = async (tx: StateTransaction, id: number): Promise<void> => {
  // Whoever starts a task holds its template: from here on none is started, and those that were are seen.
  await tx
    .updateTable('template')
    .set((eb) => ({ launches: eb.ref('launches') }))
    .where('project_id', '=', id)
    .execute();
  const active = await tx
    .selectFrom('task')
    .select('id')
    .where('project_id', '=', id)
    .where('status', 'not in', FINAL_STATUSES)
    .limit(1)
    .executeTakeFirst();
  if (active) throw new ApiError('conflict.task_not_ended', { id: active.id });
  await queueLogsOf(tx, { projectId: id });
  // Those who use come before those who are used.
  for (const table of ['template', 'inventory', 'repository', 'environment', 'access_key', 'view'] as const) {
    await tx.deleteFrom(table).where('project_id', '=', id).execute();
  }
  await tx.deleteFrom('project').where('id', '=', id).execute();
};

/** A project and its first owner. */
export const insertProject = async (
  tx: StateTransaction,
  facts: ProjectFacts,
  ownerId: number,
  now: Date,
): Promise<Selectable<ProjectTable>> => {
  const row = await tx
    .insertInto('project')
    .values({ ...projectColumns(facts), created: now.toISOString() })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx.insertInto('project_user').values({ project_id: row.id, user_id: ownerId, role: 'owner' }).execute();
  return row;
};
