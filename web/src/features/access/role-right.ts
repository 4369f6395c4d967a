import type { RoleChoice } from '@signalbox/contract';
import type { Right } from './access-text.ts';

/** Whether a role has a right on templates that are not restricted. */
export const holdsByRole = (role: RoleChoice | undefined, right: Right): boolean => {
  if (right === 'see') return true;
  return role?.rights.includes(right === 'run' ? 'run_tasks' : 'edit_templates') ?? false;
};
