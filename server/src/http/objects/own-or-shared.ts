import { type Membership, permitsOverride } from '../calls/call.ts';
import { ApiError } from '../errors/api-error.ts';

/** @throws not_permitted for a shared object without the right to edit templates */
export const checkShared = (isShared: boolean, membership: Membership): void => {
  if (isShared && !permitsOverride(membership)) throw new ApiError('not_permitted');
};

interface OwnerChange {
  readonly membership: Membership;
  readonly caller: { readonly id: number };
}

/**
 * The owner of an object after it was shared, or after it stopped being shared: null if it is shared.
 * @throws not_permitted if it is or becomes shared, and the caller may not edit templates
 */
export const changedOwner = (
  { user_id }: { readonly user_id: number | null },
  isShared: boolean,
  { membership, caller }: OwnerChange,
): number | null => {
  checkShared(isShared || user_id === null, membership);
  return isShared ? null : (user_id ?? caller.id);
};
