import type { Selectable } from 'kysely';
import type { StateTransaction } from '../database.ts';
import type { StateSchema } from '../schema.ts';
import type { Referable } from './same-project.ts';

/**
 * Reads a row of a project and locks it until the transaction ends, so that other changes wait. An update without a
 * change does so in both databases.
 */
export const lockRow = async <T extends Referable>(
  tx: StateTransaction,
  table: T,
  projectId: number,
  id: number,
): Promise<Selectable<StateSchema[T]> | undefined> => {
  const row = await tx
    .updateTable(table as 'view')
    .set((eb) => ({ project_id: eb.ref('project_id') }) as never)
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .returningAll()
    .executeTakeFirst();
  return row as Selectable<StateSchema[T]> | undefined;
};
