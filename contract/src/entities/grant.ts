import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, JsonObjectText, Moment, OptionalId, text } from '../fields.ts';
import { HostLimit } from '../host-limit.ts';
import { MemberRole } from '../roles.ts';

/** Maximum number of grants of a project. */
export const MAX_GRANTS = 1000;

/** What can be granted on a template. Every right includes `see`. */
export const GrantRight = z.enum(['see', 'run', 'approve', 'edit']);
export type GrantRight = z.infer<typeof GrantRight>;

const Rights = z
  .array(GrantRight)
  .min(1)
  .max(GrantRight.options.length)
  .overwrite((rights) => GrantRight.options.filter((right) => rights.includes(right)))
  .describe('What it permits. Every right includes `see`; `run` includes stopping.');

const DOC = {
  template_id: 'Id of the template; null for a grant on a view.',
  view_id: 'Id of the view, for all of its templates; null for a grant on a template.',
  user_id: 'Id of the user who gets the rights; null for a role or a group.',
  role: 'The role whose members get the rights; null for a user or a group.',
  role_id: 'Id of the role if `role` is `custom`.',
  group_name: 'Group of the identity provider whose members get the rights; empty for a user or a role.',
  inventory_id: 'Id of the inventory that every task must use; null if the template decides.',
  limit: 'The only limit of tasks; empty for those that the template permits.',
  answers: 'JSON object as text: fixed answers to the survey. A grant on a view has none.',
} as const;

/** What a grant fixes of the tasks that it permits. */
export const LaunchLimits = z.object({
  inventory_id: Id.nullable().describe(DOC.inventory_id),
  limit: z.string().describe(DOC.limit),
  answers: z.string().describe(DOC.answers),
});
export type LaunchLimits = z.infer<typeof LaunchLimits>;

/** Rights on a template, or on the templates of a view, in addition to those of roles. */
export const Grant = z.object({
  id: Id,
  project_id: Id,
  template_id: Id.nullable().describe(DOC.template_id),
  view_id: Id.nullable().describe(DOC.view_id),
  user_id: Id.nullable().describe(DOC.user_id),
  role: MemberRole.nullable().describe(DOC.role),
  role_id: Id.nullable().describe(DOC.role_id),
  group_name: z.string().describe(DOC.group_name),
  rights: Rights,
  ...LaunchLimits.shape,
  granted_by: Id.nullable().describe('Id of the user who granted it; null if the user was deleted.'),
  granted_by_name: z.string().describe('Name of the user who granted it.'),
  created: Moment,
});
export type Grant = z.infer<typeof Grant>;

export const NewGrant = z.object({
  template_id: OptionalId.default(null).describe(DOC.template_id),
  view_id: OptionalId.default(null).describe(DOC.view_id),
  user_id: OptionalId.default(null).describe(DOC.user_id),
  role: MemberRole.nullable().default(null).describe(DOC.role),
  role_id: OptionalId.default(null).describe(DOC.role_id),
  group_name: text(255).trim().default('').describe(DOC.group_name),
  rights: Rights,
  inventory_id: OptionalId.default(null).describe(DOC.inventory_id),
  limit: HostLimit.default('').describe(DOC.limit),
  answers: JsonObjectText.default('{}').describe(DOC.answers),
});
export type NewGrant = z.output<typeof NewGrant>;
export const GrantChange = changeOf(NewGrant.shape);

/** Why a user may or may not do something with a template. */
export const AccessReason = z.enum(['admin', 'role', 'grant', 'restricted', 'no_right']);
export type AccessReason = z.infer<typeof AccessReason>;

const AccessDecision = z.object({
  allowed: z.boolean(),
  reason: AccessReason.describe(
    'Why: `admin`, `role` and `grant` permit; `restricted` and `no_right` do not: only grants permit restricted templates.',
  ),
  grant_ids: z.array(Id).describe('Ids of the grants that permit it.'),
  limited: z.boolean().describe('Whether every one of these grants fixes an inventory, a limit or answers.'),
});
export type AccessDecision = z.infer<typeof AccessDecision>;

const Decisions = { see: AccessDecision, run: AccessDecision, approve: AccessDecision, edit: AccessDecision };

/** What a member may do with a template, and why. */
export const MemberAccess = z.object({
  user_id: Id,
  name: z.string(),
  role: MemberRole,
  role_id: Id.nullable().describe('Id of a role of `custom`; null for a fixed role.'),
  groups: z.array(z.string()).describe('Groups of the user that the identity provider sent at the last sign-in.'),
  ...Decisions,
});
export type MemberAccess = z.infer<typeof MemberAccess>;

/** What a member may do with a template of the project, and why. */
export const TemplateAccess = z.object({ template_id: Id, name: z.string(), ...Decisions });
export type TemplateAccess = z.infer<typeof TemplateAccess>;
