import { PERMISSION } from 'virtual:routes';
import type { CurrentUser, OwnRole, PermissionName } from '@signalbox/contract';

/**
 * Whether a role has a permission. Returns false until the role has loaded, so that no button appears and disappears.
 */
export const mayDo = (role: Pick<OwnRole, 'permissions'> | undefined, right: PermissionName): boolean =>
  role !== undefined && (role.permissions & PERMISSION[right]) !== 0;

type Role = (Pick<OwnRole, 'permissions'> & Partial<Pick<OwnRole, 'templates'>>) | undefined;

/** What a user may do with a template, with the right of a role for it. A grant to run includes stopping. */
export const TEMPLATE_RIGHTS = {
  run: { ofRole: 'run_tasks', ofGrant: 'run' },
  stop: { ofRole: 'stop_tasks', ofGrant: 'run' },
  approve: { ofRole: 'approve_tasks', ofGrant: 'approve' },
  edit: { ofRole: 'edit_templates', ofGrant: 'edit' },
} as const satisfies Record<string, { ofRole: PermissionName; ofGrant: string }>;

export type TemplateRight = keyof typeof TEMPLATE_RIGHTS;

/** Whether the role of the user permits something with a template, on which the rights of roles count. */
export const mayByRole = (role: Role, templateId: number, right: PermissionName): boolean =>
  mayDo(role, right) &&
  !role?.templates?.some(({ template_id, restricted }) => template_id === templateId && restricted);

/** Whether the user may do something with a template, by the role or by a grant. */
export const mayWith = (role: Role, templateId: number, right: TemplateRight): boolean =>
  mayByRole(role, templateId, TEMPLATE_RIGHTS[right].ofRole) ||
  (role?.templates?.some(
    ({ template_id, rights }) => template_id === templateId && rights.includes(TEMPLATE_RIGHTS[right].ofGrant),
  ) ??
    false);

/**
 * Whether the user may start a template with more than it asks for: in a freeze window, or from shared saved launches
 * that the user changes. Grants never include this.
 */
export const mayOverride = (role: Role, templateId: number): boolean =>
  mayByRole(role, templateId, 'run_tasks') && mayDo(role, 'edit_templates');

/** Whether there may be a template with which the user may do something. */
export const mayWithAny = (role: Role, right: TemplateRight): boolean =>
  mayDo(role, TEMPLATE_RIGHTS[right].ofRole) ||
  (role?.templates?.some(({ rights }) => rights.includes(TEMPLATE_RIGHTS[right].ofGrant)) ?? false);

/** Whether a user can see the billing of a project: an owner with the billing flag. */
export const canSeeBilling = (user: CurrentUser | undefined, role: OwnRole | undefined): boolean =>
  user?.billing === true && role?.role === 'owner';
