import { z } from 'zod';
import { Id, Moment, Name, text } from '../fields.ts';
import { RoleSlug } from '../roles.ts';

export const Project = z.object({
  id: Id,
  name: z.string(),
  alert: z.boolean(),
  alert_chat: z.string(),
  max_parallel_tasks: z.int(),
  created: Moment,
});
export type Project = z.infer<typeof Project>;

export const NewProject = z.object({
  name: Name,
  alert: z.boolean().default(false),
  alert_chat: text(255).default(''),
  max_parallel_tasks: z
    .int('must be integer')
    .min(0, 'must be 0 or greater')
    .max(10_000)
    .default(0)
    .describe('0 means no limit.'),
  demo: z
    .boolean()
    .default(false)
    .describe('Also create keys, repository, inventories and templates to try things with.'),
});

/** The caller's own place in a project; an admin who is no member has no role but every right. */
export const OwnRole = z.object({ role: z.union([RoleSlug, z.literal('')]), permissions: z.int() });
export type OwnRole = z.infer<typeof OwnRole>;

export const View = z.object({ id: Id, project_id: Id, title: z.string(), position: z.int() });
export type View = z.infer<typeof View>;
export const NewView = z.object({ title: Name, position: z.int().min(0).max(10_000).default(0) });

export const Event = z.object({
  id: Id,
  user_id: Id.nullable(),
  project_id: Id.nullable(),
  object_id: Id.nullable(),
  object_type: z.string(),
  description: z.string(),
  created: Moment,
  object_name: z.string(),
  project_name: z.string(),
  username: z.string(),
});
export type Event = z.infer<typeof Event>;
