import { holds } from '@signalbox/contract';
import type { StateTransaction } from '../../database/database.ts';
import type { Membership } from '../../http/calls/call.ts';
import { ApiError } from '../../http/errors/api-error.ts';

/** What decides who sees a template. */
interface Restriction {
  readonly restricted: boolean;
  readonly view_id: number | null;
}

/** A new template. */
export const UNRESTRICTED: Restriction = { restricted: false, view_id: null };

/**
 * Lets only owners change who sees a template: by restricting it, or by moving it from or to a restricted view. Who may
 * edit it only by a grant can't move it to another view.
 * @throws not_permitted.restriction
 */
export const checkRestriction = async (
  tx: StateTransaction,
  { permissions, grants }: Membership,
  before: Restriction,
  after: Restriction,
): Promise<void> => {
  if (holds(permissions, 'manage_users')) return;
  if (before.restricted !== after.restricted) throw new ApiError('not_permitted.restriction');
  if (before.view_id === after.view_id) return;
  const views = [before.view_id, after.view_id].filter((id) => id !== null);
  const restricted = await tx
    .selectFrom('view')
    .select('id')
    .where('id', 'in', views)
    .where('restricted', '=', 1)
    .executeTakeFirst();
  if (restricted || grants) throw new ApiError('not_permitted.restriction');
};
