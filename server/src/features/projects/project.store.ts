import type { Project } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import type { ProjectTable } from '../../database/schema.ts';

export const presentProject = (row: Selectable<ProjectTable>): Project => ({
  id: row.id,
  name: row.name,
  alert: row.alert === 1,
  alert_chat: row.alert_chat,
  max_parallel_tasks: row.max_parallel_tasks,
  created: row.created,
});

export interface ProjectFacts {
  readonly name: string;
  readonly alert: boolean;
  readonly alert_chat: string;
  readonly max_parallel_tasks: number;
}

/** A project and its first owner. */
export const insertProject = async (
  tx: StateTransaction,
  facts: ProjectFacts,
  ownerId: number,
  now: Date,
): Promise<Selectable<ProjectTable>> => {
  const row = await tx
    .insertInto('project')
    .values({
      name: facts.name,
      alert: facts.alert ? 1 : 0,
      alert_chat: facts.alert_chat,
      max_parallel_tasks: facts.max_parallel_tasks,
      created: now.toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx.insertInto('project_user').values({ project_id: row.id, user_id: ownerId, role: 'owner' }).execute();
  return row;
};
