import type { StateTransaction } from './database/database.ts';
import { lockRow } from './database/queries/lock-row.ts';
import { badField } from './http/errors/api-error.ts';
import { checkReferences } from './http/objects/references.ts';

/** The name of a field, and the id of the key in it. */
export type KeyField = readonly [field: string, id: number];

/**
 * Refuses keys of vaults and registries that are not of the project or hold no password. Locks the keys, so that their type cannot
 * change.
 * @throws bad_input
 */
export const checkPasswordKeys = async (
  db: StateTransaction,
  projectId: number,
  keys: readonly KeyField[],
): Promise<void> => {
  await checkReferences(
    db,
    projectId,
    keys.map(([field, id]) => [field, 'access_key', id]),
  );
  // Always in the same order, so that two transactions never wait for each other.
  for (const [field, id] of keys.toSorted(([, a], [, b]) => a - b)) {
    const key = await lockRow(db, 'access_key', projectId, id);
    if (key?.type !== 'login_password') throw badField(field, 'field.password_key');
  }
};
