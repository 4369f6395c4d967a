import type { Selectable } from 'kysely';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { lockProject } from '../../database/queries/lock-project.ts';
import { countOwned, type OwnedTable, visibleRows } from '../../database/queries/own-or-shared.ts';
import type { StateSchema } from '../../database/schema.ts';
import { type Membership, permitsOverride } from '../calls/call.ts';
import { ApiError, notFound } from '../errors/api-error.ts';

/** How many objects an owner may have. */
export interface OwnedLimit {
  readonly table: OwnedTable;
  /** The column of the object to which they belong. */
  readonly of: 'project_id' | 'template_id';
  readonly max: number;
  readonly error: 'conflict.saved_filters_full' | 'conflict.saved_launches_full';
}

interface Owned {
  readonly project_id: number;
  readonly template_id: number | null;
  /** The owner; null if it is shared. */
  readonly user_id: number | null;
}

interface OwnedCall {
  readonly params: { readonly project_id: number; readonly template_id?: number };
  readonly caller: { readonly id: number };
  readonly membership: Membership;
}

/** @throws not_permitted for a shared object without the right to edit templates */
const checkShared = (isShared: boolean, membership: Membership): void => {
  if (isShared && !permitsOverride(membership)) throw new ApiError('not_permitted');
};

/**
 * Finds an object that is shared or belongs to the caller.
 * @throws not_found
 */
export const findVisible = async <T extends OwnedTable>(
  db: StateReader,
  table: T,
  { params, caller }: OwnedCall,
  id: number,
): Promise<Selectable<StateSchema[T]>> => {
  const row = await visibleRows<OwnedTable>(db, table, params, caller.id).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound();
  return row as Selectable<StateSchema[T]>;
};

/** @throws not_found, or not_permitted unless the caller may change the object */
export const checkChangeable = async (db: StateReader, table: OwnedTable, call: OwnedCall, id: number): Promise<void> =>
  checkShared((await findVisible(db, table, call, id)).user_id === null, call.membership);

/**
 * The owner of a new object: null if it is shared.
 * @throws not_permitted if it is shared, and the caller may not edit templates
 */
export const newOwner = (
  isShared: boolean,
  { membership, caller }: Pick<OwnedCall, 'membership' | 'caller'>,
): number | null => {
  checkShared(isShared, membership);
  return isShared ? null : caller.id;
};

/** @throws conflict when the owner has as many objects as one may have */
export const refuseFull = async (
  tx: StateTransaction,
  { table, of, max, error }: OwnedLimit,
  owned: Owned,
): Promise<void> => {
  await lockProject(tx, owned.project_id);
  if ((await countOwned(tx, table, [of, owned[of] ?? 0], owned.user_id)) >= max) throw new ApiError(error, { max });
};

/**
 * The owner of an object after it was shared, or after it stopped being shared: null if it is shared.
 * @throws not_permitted if it is or becomes shared, and the caller may not edit templates; conflict when its new owner
 *   has as many as one may have
 */
export const changedOwner = async (
  tx: StateTransaction,
  limit: OwnedLimit,
  row: Owned,
  isShared: boolean,
  { membership, caller }: Pick<OwnedCall, 'membership' | 'caller'>,
): Promise<number | null> => {
  checkShared(isShared || row.user_id === null, membership);
  const user_id = isShared ? null : (row.user_id ?? caller.id);
  if (isShared !== (row.user_id === null)) await refuseFull(tx, limit, { ...row, user_id });
  return user_id;
};
