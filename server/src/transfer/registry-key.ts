import type { Selectable } from 'kysely';
import type { StateTransaction } from '../database/database.ts';
import type { ProjectTable } from '../database/schema.ts';
import { readEnvironment } from '../execution-environments.ts';

export type Project = Pick<Selectable<ProjectTable>, 'id' | 'execution_environment'>;

/**
 * Stores the key of the registry of a project, whose execution environment is imported before its keys.
 * @returns the id of the project
 */
export const storeRegistryKey = async (
  tx: StateTransaction,
  { id, execution_environment }: Project,
  registry_key_id: number | null,
): Promise<number> => {
  const environment = readEnvironment(execution_environment);
  if (environment?.kind === 'container')
    await tx
      .updateTable('project')
      .set({ execution_environment: JSON.stringify({ ...environment, registry_key_id }) })
      .where('id', '=', id)
      .execute();
  return id;
};
