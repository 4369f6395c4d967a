import { z } from 'zod';
import { InstalledApp } from '../apps/apps.ts';
import { changeOf } from '../change.ts';
import { Id, Moment, MomentText, Name, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { needs, unlessField } from '../rules.ts';
import { TokenScope } from '../token-scope.ts';
import { Language } from './alert.ts';
import { EnvironmentKind, ExecutionEnvironment } from './execution-environment.ts';

/** The current user, with fields that only this user and admins may see. */
export const CurrentUser = z.object({
  id: Id,
  name: z.string(),
  username: z.string(),
  email: z.string(),
  email_proven: z
    .boolean()
    .describe(
      'Whether an admin or a provider set the email address, or its owner confirmed it. An unproven address receives nothing but the mail that confirms it: no alerts, it cannot be used to sign in, and other users can have the same one.',
    ),
  admin: z.boolean(),
  alert: z.boolean(),
  external: z.boolean(),
  can_create_project: z.boolean(),
  billing: z.boolean(),
  service: z.boolean().describe('Whether it is a service account, which has API tokens but cannot sign in.'),
  language: Language.nullable(),
  second_factor: z
    .enum(['off', 'on', 'due'])
    .describe(
      'Whether signing in requires a code. `due` while the user has to set up a second factor before any other call.',
    ),
  created: z.string(),
});
export type CurrentUser = z.infer<typeof CurrentUser>;

/** A password that is compared with the stored one, whatever rules were in force when it was set. */
export const Password = text(1024).min(1, fieldError('field.required'));

/** Minimum length of a password in characters. */
export const MIN_PASSWORD = 8;

/** Maximum length of a password in characters: a longer one would only take more time to hash. */
const MAX_PASSWORD = 1024;

/** A new password; the server also refuses the username, the email address and common passwords. */
export const NewPasswordText = text(MAX_PASSWORD).min(MIN_PASSWORD);

/** The password of the caller, which proves that the call comes from the owner of the account. */
export const CurrentPassword = Password.describe('Password of the caller.');

/** A user. Only admins and the user get fields other than id, name and username. */
export const User = CurrentUser.partial().required({ id: true, name: true, username: true });
export type User = z.infer<typeof User>;

const AddressText = text(255).trim().min(1, fieldError('field.required'));

/** A stored address, which may not follow the rules for new ones. Service accounts have none. */
const KnownEmail = text(255)
  .trim()
  .regex(/^(?:[^\s@]+@[^\s@]+)?$/, fieldError('field.email'));

/**
 * A new email address. Mail programs read some characters as parts of a list of recipients. Characters that NFKC changes
 * resemble other addresses, and some become those addresses in lower case.
 */
export const Email = AddressText.regex(/^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\]]+$/, fieldError('field.email'))
  .regex(/^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]*$/u, fieldError('field.invisible'))
  .refine((address) => address.normalize('NFKC') === address, fieldError('field.plain_characters'))
  .meta({ openapiFormat: 'idn-email' });

const UserFields = z.object({
  name: Name,
  username: Name,
  email: Email,
  password: text(MAX_PASSWORD)
    .refine(
      (password) => password === '' || [...password].length >= MIN_PASSWORD,
      fieldError('field.too_short', { min: MIN_PASSWORD }),
    )
    .meta({ openapiRules: [{ anyOf: [{ maxLength: 0 }, { minLength: MIN_PASSWORD }] }] })
    .default('')
    .describe('Write-only. At least 8 characters, not the username, not a common password.'),
  admin: z.boolean().default(false),
  alert: z.boolean().default(false),
  external: z.boolean().default(false).describe('True if the user signs in with a provider instead of a password.'),
  can_create_project: z.boolean().default(false),
  billing: z.boolean().default(false),
  language: Language.nullable().default(null),
});
export const NewUser = UserFields.refine((user) => user.external || user.password !== '', {
  path: ['password'],
  ...fieldError('field.required'),
}).meta({
  openapiRules: [unlessField('external', true, needs({ password: { minLength: 8 } }))],
});
/** A service account, which never has an email address or a password. */
export const NewServiceAccount = UserFields.pick({ name: true, username: true, admin: true, can_create_project: true });
const EndTokens = z
  .boolean()
  .describe('Whether a new password also revokes the API tokens of the user. Default: true.');

export const UserChange = changeOf(UserFields.shape).extend({
  email: KnownEmail.nullish().describe('Email address. A new one follows the rules of `NewUser.email`.'),
  current_password: CurrentPassword.nullish().describe(
    'Password of the caller. Required for a new password of any user, and for a new email address of the caller.',
  ),
  end_tokens: EndTokens.nullish(),
  email_proven: z
    .boolean()
    .nullish()
    .describe(
      'Whether the email address counts as confirmed; only admins may change it. Ignored together with a new address, which is proven if the caller is an admin.',
    ),
});

/** The token of a confirmation link. */
export const AddressProof = z.object({
  token: text(255).min(1, fieldError('field.required')).describe('The token in the confirmation link.'),
});
export const NewPassword = z.object({
  password: NewPasswordText.describe('At least 8 characters, not the username, not a common password.'),
  current_password: CurrentPassword.optional().describe(
    'Password of the caller, also when an admin sets the password of another user. External users need a sign-in within the last 15 minutes instead.',
  ),
  end_tokens: EndTokens.default(true),
});

/** Maximum number of projects, and of templates, to which one token can be restricted. */
const MAX_TOKEN_PROJECTS = 100;
const MAX_TOKEN_TEMPLATES = 500;

/** The project or template to which a token is restricted. */
const TokenProject = z.object({ id: Id, name: z.string() });
const TokenTemplate = TokenProject.extend({ project_id: Id });
const Scopes = z.array(TokenScope).min(1).max(TokenScope.options.length);

/** An API token in a list. */
export const ApiToken = z.object({
  id: z.string().describe('Prefix of the token; the whole token when it is created.'),
  user_id: Id.describe('Id of the user whose permissions the token has.'),
  name: z.string(),
  prefix: z.string().describe('The start of the token, to identify it.'),
  created: Moment,
  last_used: Moment.nullable().describe('At most a minute before the last use; null if never used.'),
  last_address: z.string().describe('IP address of the last use; empty if never used.'),
  scopes: Scopes.describe(
    'What the token may do: `read` is every GET call, `run` also starts and stops tasks, `metrics` is only `/metrics`.',
  ),
  projects: z
    .array(TokenProject)
    .nullable()
    .describe(
      'The projects to which the token is restricted, as far as the caller can see them; null for all of its user.',
    ),
  templates: z
    .array(TokenTemplate)
    .nullable()
    .describe(
      'The templates whose tasks the token may start and stop, as far as the caller can see them; null for all.',
    ),
  expires_at: Moment.nullable().describe('When it stops working; null for never.'),
  expired: z.boolean().describe('Whether it no longer works because `expires_at` has passed.'),
});
export type ApiToken = z.infer<typeof ApiToken>;
const NewTokenFields = z.object({
  name: Name.default('API token'),
  scopes: Scopes.default(['everything']).describe('What the token may do. Default: everything that its user may do.'),
  projects: z
    .array(Id)
    .min(1)
    .max(MAX_TOKEN_PROJECTS)
    .nullable()
    .default(null)
    .describe('Restricts the token to these projects. Null for all projects of its user, also later ones.'),
  templates: z
    .array(Id)
    .min(1)
    .max(MAX_TOKEN_TEMPLATES)
    .nullable()
    .default(null)
    .describe('Restricts a token with the scope `run` to tasks of these templates. Null for all.'),
  expires_at: MomentText.or(z.literal(''))
    .nullable()
    .default(null)
    .describe('When it stops working: a moment in the future. Null or empty for never.'),
  current_password: CurrentPassword.optional().describe(
    'Password of the caller; not needed within 15 minutes of the sign-in.',
  ),
});
/** @throws an error of `templates` or `projects` that the scopes contradict */
export const NewApiToken = NewTokenFields.refine(
  ({ scopes, templates }) => templates === null || (scopes.includes('run') && !scopes.includes('everything')),
  { path: ['templates'], ...fieldError('field.token_run') },
).refine(({ scopes, projects }) => projects === null || !scopes.includes('metrics'), {
  path: ['projects'],
  ...fieldError('field.token_metrics'),
});
/** A token in the list of all users. */
export const OwnedApiToken = ApiToken.extend({
  number: Id.describe('Id of the token for `revokeToken`.'),
  username: z.string().describe('Username of the user whose permissions the token has.'),
  service: z.boolean().describe('Whether this user is a service account.'),
});
export type OwnedApiToken = z.infer<typeof OwnedApiToken>;
/** The only response that contains the token. */
export const CreatedApiToken = ApiToken.extend({ token: z.string().describe('Only returned once; stored hashed.') });

export const SignInBody = z.object({
  // Users whose name was stored under older rules sign in with it.
  auth: text(255).trim().min(1, fieldError('field.required')).describe('Username or email address, case-insensitive.'),
  password: Password,
});

export const SignInOptions = z.object({
  oidc_providers: z.array(z.object({ id: z.string(), name: z.string(), color: z.string(), icon: z.string() })),
  login_with_password: z.boolean(),
  command: z
    .string()
    .describe('What to type on the machine of the server before a command such as `user list`. Contains no secret.'),
});
export type SignInOptions = z.infer<typeof SignInOptions>;

export const SystemInfo = z.object({
  version: z.string(),
  apps: z
    .array(InstalledApp)
    .describe('The apps of the connected runners, with the version of the newest of these runners.'),
  ansible: z.string().describe('Version of ansible-core on the newest connected runner; empty without one.'),
  execution_environments: z
    .array(EnvironmentKind)
    .describe('The kinds of execution environments that templates and projects may have.'),
  default_execution_environment: ExecutionEnvironment.describe(
    'The execution environment of projects that have none of their own.',
  ),
  database: z.enum(['sqlite', 'postgres']),
  runners: z.int().describe('Number of connected runners.'),
  schedule_timezone: z.string().describe('Default time zone of schedules.'),
  separated: z
    .boolean()
    .nullable()
    .describe(
      'Whether every connected runner executes tasks as a separate user, see the setting SIGNALBOX_RUN_AS. Null while no runner is connected.',
    ),
  alert_channels: z
    .array(z.enum(['email', 'telegram']))
    .describe('Alert channels that are set up on the server, in addition to the receivers of projects.'),
});
export type SystemInfo = z.infer<typeof SystemInfo>;
