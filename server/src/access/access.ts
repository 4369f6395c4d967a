import { type AccessReason, GrantRight, holds } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { AccessGrantTable } from '../database/access.schema.ts';
import { type AccessMember, isOwner } from './memberships.ts';

export type GrantRow = Selectable<AccessGrantTable>;

/** The restrictions and grants of a project. */
export interface AccessRules {
  /** The view of each template that is restricted or that a grant concerns. */
  readonly viewOf: ReadonlyMap<number, number | null>;
  /** Ids of the templates that are restricted, or whose view is. */
  readonly restricted: ReadonlySet<number>;
  readonly restrictedViews: ReadonlySet<number>;
  readonly grants: readonly GrantRow[];
}

/** The rules of a project without restrictions and grants. */
export const NO_RULES: AccessRules = {
  ...{ viewOf: new Map(), restricted: new Set(), restrictedViews: new Set(), grants: [] },
};

/** Whether a member may do something with a template, and why. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: AccessReason;
  /** The grants that permit it. */
  readonly grants: readonly GrantRow[];
}

const concerns = (grant: GrantRow, member: AccessMember): boolean => {
  if (grant.user_id !== null) return grant.user_id === member.userId;
  if (grant.role !== null) return grant.role === member.role && grant.role_id === member.roleId;
  return member.groups.has(grant.group_name);
};

export const rightsOfGrant = ({ rights }: Pick<GrantRow, 'rights'>): GrantRight[] => rights.split(',') as GrantRight[];

/** The columns of a grant that limit the tasks which it permits. Calls answer them as `LaunchLimits`. */
export type LimitColumns = Pick<GrantRow, 'inventory_id' | 'limit_hosts' | 'answers'>;

/** Whether a grant fixes an inventory, a limit or answers. */
export const isLimited = ({ inventory_id, limit_hosts, answers }: LimitColumns): boolean =>
  inventory_id !== null || limit_hosts !== '' || Object.keys(JSON.parse(answers) as object).length > 0;

/** The grants of a member on a template, with a right; each one includes the right to see it. */
const grantsOn = (rules: AccessRules, member: AccessMember, templateId: number, right: GrantRight): GrantRow[] =>
  rules.grants.filter(
    (grant) =>
      (grant.template_id === templateId ||
        (grant.view_id !== null && grant.view_id === rules.viewOf.get(templateId))) &&
      (right === 'see' || rightsOfGrant(grant).includes(right)) &&
      concerns(grant, member),
  );

const RIGHT_OF_ROLE = { run: 'run_tasks', approve: 'approve_tasks', edit: 'edit_templates' } as const;

/**
 * Decides whether a member may do something with a template. Owners may do everything; the rights of other roles do not
 * apply to restricted templates; grants add rights. All checks of templates use this decision.
 */
export const decide = (
  rules: AccessRules,
  member: AccessMember,
  templateId: number,
  right: GrantRight,
  byRole: boolean = right === 'see' || holds(member.permissions, RIGHT_OF_ROLE[right]),
): Decision => {
  if (isOwner(member.permissions)) return { allowed: true, reason: 'role', grants: [] };
  const isRestricted = rules.restricted.has(templateId);
  if (byRole && !isRestricted) return { allowed: true, reason: 'role', grants: [] };
  const grants = grantsOn(rules, member, templateId, right);
  if (grants.length > 0) return { allowed: true, reason: 'grant', grants };
  return { allowed: false, reason: isRestricted ? 'restricted' : 'no_right', grants: [] };
};

/** The restricted templates that a member must not see. */
export const hiddenTemplates = (rules: AccessRules, member: AccessMember): ReadonlySet<number> =>
  new Set([...rules.restricted].filter((id) => !decide(rules, member, id, 'see').allowed));

/** The restricted views that a member must not see: those without a template that the member sees. */
export const hiddenViews = (rules: AccessRules, member: AccessMember): ReadonlySet<number> => {
  const seen = new Set(
    [...rules.viewOf].flatMap(([id, view]) => (decide(rules, member, id, 'see').allowed ? [view] : [])),
  );
  const isGranted = (view: number) => rules.grants.some((grant) => grant.view_id === view && concerns(grant, member));
  return new Set(
    [...rules.restrictedViews].filter((view) => !isOwner(member.permissions) && !seen.has(view) && !isGranted(view)),
  );
};

/** What a member may do with a template. */
interface TemplateRights {
  readonly template_id: number;
  readonly restricted: boolean;
  readonly rights: GrantRight[];
  /** A task must match one of these grants; empty if no grant limits tasks. */
  readonly limits: readonly LimitColumns[];
}

/** What a member may do with the templates of a project that has restrictions or grants. */
export interface AccessOfMember {
  readonly decide: (templateId: number, right: GrantRight, byRole?: boolean) => Decision;
  /** Ids of the templates and views that the member must not see. */
  readonly hidden: ReadonlySet<number>;
  readonly hiddenViews: ReadonlySet<number>;
  /** What the member may do with each template for which the role alone does not decide. */
  readonly templates: readonly TemplateRights[];
}

export const accessOfMember = (rules: AccessRules, member: AccessMember): AccessOfMember => {
  const hidden = hiddenTemplates(rules, member);
  return {
    decide: (templateId, right, byRole) => decide(rules, member, templateId, right, byRole),
    hidden,
    hiddenViews: hiddenViews(rules, member),
    templates: [...rules.viewOf.keys()]
      .filter((id) => !hidden.has(id))
      .map((template_id) => {
        const { grants } = decide(rules, member, template_id, 'run');
        return {
          template_id,
          restricted: rules.restricted.has(template_id),
          rights: GrantRight.options.filter((right) => decide(rules, member, template_id, right).allowed),
          limits: grants.every(isLimited) ? grants : [],
        };
      }),
  };
};
