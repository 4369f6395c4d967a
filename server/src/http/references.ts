import type { StateReader } from '../database/database.ts';
import { belongsTo, type Referable } from '../database/same-project.ts';
import { badField } from './api-error.ts';

/**
 * Refuses ids in a body that are not of the same project, with one answer for those of other projects and those of none.
 * @param references the field, the table it refers to, and the id (null where none is given)
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
