import { PERMISSION } from 'virtual:routes';
import type { CurrentUser, OwnRole, PermissionName } from '@signalbox/contract';

/** Whether a role holds a right. Before the role is known nothing is held, so that no button flashes up. */
export const mayDo = (role: OwnRole | undefined, right: PermissionName): boolean =>
  role !== undefined && (role.permissions & PERMISSION[right]) !== 0;

/** Whether the billing of a project is there for somebody: an owner whose record says so. */
export const seesBilling = (user: CurrentUser | undefined, role: OwnRole | undefined): boolean =>
  user?.billing === true && role?.role === 'owner';
