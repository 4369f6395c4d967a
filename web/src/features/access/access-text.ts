import type { AccessDecision, Grant, MemberAccess, RoleChoice, SurveyVariable } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { roleValue, titleOfValue } from '../../ui/access/role-labels.ts';

/** The rights on a template, in the order of the columns. */
export const RIGHTS = ['see', 'run', 'approve', 'edit'] as const;
export type Right = (typeof RIGHTS)[number];

/** Catalogue keys of the names of the rights. */
export const RIGHT_LABELS = {
  see: 'grants.see',
  run: 'grants.run',
  approve: 'grants.approve',
  edit: 'grants.edit',
} as const satisfies Record<Right, string>;

export const roleName = (t: TFunction, member: Pick<MemberAccess, 'role' | 'role_id'>, roles: readonly RoleChoice[]) =>
  titleOfValue(t, roleValue(member), roles);

/** Whether a decision permits, permits within limits, or does not permit. */
export const outcomeOf = ({ allowed, limited }: AccessDecision): 'yes' | 'limited' | 'no' => {
  if (!allowed) return 'no';
  return limited ? 'limited' : 'yes';
};

/** Why a right is given or not, as a short text. */
export const reasonText = (t: TFunction, decision: AccessDecision, role: string): string => {
  switch (decision.reason) {
    case 'admin':
      return t('grants.byAdmin');
    case 'role':
      return t('grants.byRole', { role });
    case 'grant':
      return t('grants.byGrant', { count: decision.grant_ids.length });
    case 'restricted':
      return t('grants.restrictedReason');
    case 'no_right':
      return t('grants.byRole', { role });
  }
};

/** The names of objects that a grant refers to by id. */
export interface GrantNames {
  readonly inventories: readonly { readonly id: number; readonly name: string }[];
  readonly users: readonly { readonly id: number; readonly name: string }[];
  readonly roles: readonly RoleChoice[];
  /** The survey of the template. */
  readonly survey: readonly SurveyVariable[];
}

/** Who gets the rights of a grant. */
export const subjectText = (t: TFunction, grant: Grant, { users, roles }: GrantNames): string => {
  if (grant.user_id !== null) return users.find(({ id }) => id === grant.user_id)?.name ?? `#${grant.user_id}`;
  if (grant.role !== null)
    return t('grants.everyWithRole', { role: roleName(t, { role: grant.role, role_id: grant.role_id }, roles) });
  return t('grants.group', { name: grant.group_name });
};
