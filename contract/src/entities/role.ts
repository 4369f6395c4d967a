import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, Name } from '../fields.ts';
import { MemberRole, RoleRight, RoleSlug } from '../roles.ts';
import { GrantRight, LaunchLimits } from './grant.ts';

/** Maximum number of roles that a project, or the system, can have in addition to the fixed ones. */
export const MAX_ROLES = 100;

const Rights = z
  .array(RoleRight)
  .max(RoleRight.options.length)
  .overwrite((rights) => RoleRight.options.filter((right) => rights.includes(right)))
  .describe('What a member with the role may do, in addition to reading. `run_tasks` includes `stop_tasks`.');

/** The role of the caller in a project. An admin who is not a member has no role, but every permission. */
export const OwnRole = z.object({
  role: z.union([MemberRole, z.literal('')]),
  role_id: Id.nullable(),
  permissions: z.int(),
  rights: Rights,
  templates: z
    .array(
      z.object({
        template_id: Id,
        restricted: z.boolean().describe('Whether the rights of the role do not count.'),
        rights: z.array(GrantRight),
        limits: z.array(LaunchLimits),
      }),
    )
    .describe('What the caller may do with each template for which restrictions or grants apply instead of the role.'),
});
export type OwnRole = z.infer<typeof OwnRole>;

const RoleId = Id.nullable().describe('Id of a role of `custom`; null for a fixed role.');

/** A role that a member can have. */
export const RoleChoice = z.object({
  slug: MemberRole,
  title: z.string(),
  role_id: RoleId,
  rights: Rights,
  starts_from: RoleSlug.nullable().describe('The fixed role with which it is compared; null for a fixed role.'),
  of_system: z.boolean().describe('Whether the role belongs to the system and not to the project.'),
});
export type RoleChoice = z.infer<typeof RoleChoice>;

/** A role of a project or of the system, in addition to the fixed roles. */
export const CustomRole = z.object({
  id: Id,
  project_id: Id.nullable().describe('Id of the project; null for a role of the system.'),
  name: z.string(),
  starts_from: RoleSlug.describe('The fixed role with which the role is compared.'),
  rights: Rights,
});
export type CustomRole = z.infer<typeof CustomRole>;

export const NewRole = z.object({
  name: Name,
  starts_from: RoleSlug.exclude(['owner'])
    .default('guest')
    .describe('The fixed role with which the role is compared. It gives no rights.'),
  rights: Rights,
});
export type NewRole = z.infer<typeof NewRole>;
export const RoleChange = changeOf(NewRole.shape);

/** A member of a project. */
export const ProjectUser = z.object({
  id: Id.describe('The id of the user.'),
  user_id: Id,
  project_id: Id,
  role: MemberRole,
  role_id: RoleId,
  name: z.string(),
  username: z.string(),
});
export type ProjectUser = z.infer<typeof ProjectUser>;

const GivenRoleId = Id.nullish().describe('Id of the role if `role` is `custom`.');

export const NewProjectUser = z.object({ user_id: Id, role: MemberRole, role_id: GivenRoleId });
export const ProjectUserChange = changeOf(NewProjectUser.shape);
