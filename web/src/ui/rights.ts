import { PERMISSION } from 'virtual:routes';
import type { OwnRole, PermissionName } from '@signalbox/contract';

/** Whether a role holds a right. Before the role is known nothing is held, so that no button flashes up. */
export const mayDo = (role: OwnRole | undefined, right: PermissionName): boolean =>
  role !== undefined && (role.permissions & PERMISSION[right]) !== 0;
