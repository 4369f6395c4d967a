import type { StateReader } from '../../database/database.ts';
import { belongsTo, type Referable } from '../../database/queries/same-project.ts';
import { badField } from '../errors/api-error.ts';

/**
 * Refuses ids in a body that do not belong to the project. Ids of other projects and unknown ids get the same answer.
 * @param references the field, the table it refers to, and the id (null when absent)
 */
export const checkReferences = async (
  db: StateReader,
  projectId: number,
  references: readonly (readonly [field: string, table: Referable, id: number | null])[],
): Promise<void> => {
  for (const [field, table, id] of references) {
    if (id !== null && !(await belongsTo(db, table, id, projectId))) throw badField(field, 'field.not_of_project');
  }
};
