import { PERMISSION } from 'virtual:routes';
import type { CurrentUser, OwnRole, PermissionName } from '@signalbox/contract';

/**
 * Whether a role has a permission. Returns false until the role has loaded, so that no button appears and disappears.
 */
export const mayDo = (role: Pick<OwnRole, 'permissions'> | undefined, right: PermissionName): boolean =>
  role !== undefined && (role.permissions & PERMISSION[right]) !== 0;

const RIGHT_OF_ROLE = { run: 'run_tasks', edit: 'edit_templates' } as const;

/** Whether the user may run or edit a template: as restrictions and grants decide, and else the role. */
export const mayWith = (
  role: (Pick<OwnRole, 'permissions'> & Partial<Pick<OwnRole, 'templates'>>) | undefined,
  templateId: number,
  right: 'run' | 'edit',
): boolean => {
  const decided = role?.templates?.find(({ template_id }) => template_id === templateId);
  return decided ? decided.rights.includes(right) : mayDo(role, RIGHT_OF_ROLE[right]);
};

/** Whether a user can see the billing of a project: an owner with the billing flag. */
export const canSeeBilling = (user: CurrentUser | undefined, role: OwnRole | undefined): boolean =>
  user?.billing === true && role?.role === 'owner';
