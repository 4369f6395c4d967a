import { PERMISSION } from 'virtual:routes';
import type { CurrentUser, OwnRole, PermissionName } from '@signalbox/contract';

/**
 * Whether a role has a permission. Returns false until the role has loaded, so that no button appears and disappears.
 */
export const mayDo = (role: Pick<OwnRole, 'permissions'> | undefined, right: PermissionName): boolean =>
  role !== undefined && (role.permissions & PERMISSION[right]) !== 0;

/** Whether a user can see the billing of a project: an owner with the billing flag. */
export const canSeeBilling = (user: CurrentUser | undefined, role: OwnRole | undefined): boolean =>
  user?.billing === true && role?.role === 'owner';
