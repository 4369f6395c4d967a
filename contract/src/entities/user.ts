import { z } from 'zod';
import { Id, Name, text } from '../fields.ts';

/** The user who asks, with what only they and admins may see. */
export const CurrentUser = z.object({
  id: Id,
  name: z.string(),
  username: z.string(),
  email: z.string(),
  admin: z.boolean(),
  alert: z.boolean(),
  external: z.boolean(),
  can_create_project: z.boolean(),
  billing: z.boolean(),
  created: z.string(),
});
export type CurrentUser = z.infer<typeof CurrentUser>;

/** Longer passwords would only cost time to hash. */
export const Password = text(1024).min(1, 'is required');

export const SignInBody = z.object({
  auth: Name.describe('Username or e-mail address, without regard to case.'),
  password: Password,
});

export const SignInOptions = z.object({
  oidc_providers: z.array(z.object({ id: z.string(), name: z.string(), color: z.string(), icon: z.string() })),
  login_with_password: z.boolean(),
});
export type SignInOptions = z.infer<typeof SignInOptions>;

export const SystemInfo = z.object({
  version: z.string(),
  ansible: z.string().describe('Version of ansible-core on the newest connected runner; empty when there is none.'),
  database: z.enum(['sqlite', 'postgres']),
  runners: z.int().describe('Connected runners.'),
});
export type SystemInfo = z.infer<typeof SystemInfo>;
