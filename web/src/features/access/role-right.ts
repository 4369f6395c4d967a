import type { RoleChoice } from '@signalbox/contract';
import type { Right } from './access-text.ts';

const RIGHT_OF_ROLE = { run: 'run_tasks', approve: 'approve_tasks', edit: 'edit_templates' } as const;

/** Whether a role has a right on templates that are not restricted. */
export const holdsByRole = (role: RoleChoice | undefined, right: Right): boolean => {
  if (right === 'see') return true;
  return role?.rights.includes(RIGHT_OF_ROLE[right]) ?? false;
};
