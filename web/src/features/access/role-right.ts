import type { RoleChoice } from '@signalbox/contract';
import { TEMPLATE_RIGHTS } from '../../ui/access/permissions.ts';
import type { Right } from './access-text.ts';

/** Whether a role has a right on templates that are not restricted. */
export const holdsByRole = (role: RoleChoice | undefined, right: Right): boolean => {
  if (right === 'see') return true;
  return role?.rights.includes(TEMPLATE_RIGHTS[right].ofRole) ?? false;
};
