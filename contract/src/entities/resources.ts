import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, Name, OptionalId, text } from '../fields.ts';
import { fieldError, fieldIssue } from '../messages/field-errors.ts';
import { needs, whenField } from '../rules.ts';
import { RunnerTags } from './runner-tags.ts';

export const KeyType = z.enum(['ssh', 'login_password', 'none']);
export type KeyType = z.infer<typeof KeyType>;

/** A key without its secret. Its login is only returned to members who may change keys. */
export const Key = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  type: KeyType,
  ssh: z
    .object({ login: z.string(), private_key: z.string(), passphrase: z.string() })
    .describe('The `login` of an ssh key, for members who may change keys. All else is empty.'),
  login_password: z
    .object({ login: z.string(), password: z.string() })
    .describe('The `login` of a key with a password, for members who may change keys. All else is empty.'),
  override_secret: z.boolean().describe('Always false, so that a key that is sent back unchanged keeps its secret.'),
});
export type Key = z.infer<typeof Key>;

/** An object that uses another one. */
const Named = z.object({ id: Id, name: z.string() });
export const References = z.object({
  templates: z.array(Named),
  inventories: z.array(Named),
  repositories: z.array(Named),
  schedules: z.array(Named),
  used_by_hidden: z
    .boolean()
    .describe('Whether templates that the caller must not see, or their schedules, use it too.'),
});
export type References = z.infer<typeof References>;

const PUBLIC_KEY =
  /^\s*(?:(?:ssh|ecdsa-sha2|sk-ssh|sk-ecdsa-sha2)-\S+[ \t]|-{4,5} ?BEGIN (?:(?:SSH2|RSA|DSA|EC) )?PUBLIC KEY)/;

/** Whether a text is a public key or a certificate, as in a file `*.pub` or in PEM. */
export const isPublicKey = (text: string): boolean => PUBLIC_KEY.test(text);

/** Clients may send empty parts of other types; only the part of the key's type is used. */
export const KeySecrets = {
  type: KeyType,
  ssh: z
    .object({
      login: text(255).default(''),
      private_key: text(65_536)
        .default('')
        .describe('The private key as text; never returned. A public key is refused.'),
      passphrase: text(1024).default(''),
    })
    .optional(),
  login_password: z.object({ login: text(255).default(''), password: text(65_536).default('') }).optional(),
};

const filled = { type: 'string', minLength: 1 };

/** The same rule for the OpenAPI file. */
export const SECRET_RULES = [
  whenField('type', 'ssh', needs({ ssh: needs({ private_key: filled }) })),
  whenField('type', 'login_password', needs({ login_password: needs({ password: filled }) })),
];

/** The part of the key's type must be complete, and a private key must not be a public one. */
export const hasSecret = (
  key: z.output<z.ZodObject<typeof KeySecrets>>,
  { addIssue }: Pick<z.RefinementCtx, 'addIssue'>,
): void => {
  const required = (...path: string[]) => addIssue({ ...fieldIssue('field.required'), path });
  if (key.type === 'ssh' && !key.ssh?.private_key) required('ssh', 'private_key');
  if (key.type === 'ssh' && isPublicKey(key.ssh?.private_key ?? ''))
    addIssue({ ...fieldIssue('key.public'), path: ['ssh', 'private_key'] });
  if (key.type === 'login_password' && !key.login_password?.password) required('login_password', 'password');
};

export const NewKey = z
  .object({
    name: Name,
    ...KeySecrets,
    override_secret: z
      .boolean()
      .default(false)
      .describe('In a change: whether to replace the secret. Default: the stored secret is kept.'),
  })
  .superRefine(hasSecret)
  .meta({ openapiRules: SECRET_RULES });

const LOGIN_OF_CHANGE =
  'Without `override_secret` only its `login` counts, and the stored secret stays. An empty `login` removes the stored one when it is sent alone; next to the fields of a secret it is ignored, because some clients always send whole empty parts.';

/** A part of a changed key. Absent fields stay absent, so that a login can be changed alone. */
export const KeyChange = changeOf({
  ...NewKey.shape,
  ssh: z
    .object({ login: text(255).optional(), private_key: text(65_536).optional(), passphrase: text(1024).optional() })
    .describe(`For the type \`ssh\`. ${LOGIN_OF_CHANGE}`),
  login_password: z
    .object({ login: text(255).optional(), password: text(65_536).optional() })
    .describe(`For the type \`login_password\`. ${LOGIN_OF_CHANGE}`),
});

export const Repository = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  git_url: z.string(),
  git_branch: z.string(),
  ssh_key_id: Id,
});
export type Repository = z.infer<typeof Repository>;

/** The protocol of a repository, derived from its URL. */
export const repositoryType = (url: string): 'local' | 'git' | 'file' | 'ssh' | 'https' | 'http' | undefined => {
  if (url.startsWith('/')) return 'local';
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1]?.toLowerCase();
  // `ext::command` would have git run a command: the text before two colons is a transport, not a host.
  if (scheme === undefined)
    return /^(?![A-Za-z0-9+.-]*::)[^\s-][^\s]*$/.test(url) && !url.includes('://') ? 'ssh' : undefined;
  const schemes = ['git', 'file', 'ssh', 'https', 'http'] as const;
  return schemes.find((one) => one === scheme);
};

/** A branch or tag as git allows it; one that could be read as an option is refused. */
export const Branch = text(255)
  .trim()
  .regex(/^(?!-)[^\s~^:?*[\\]*$/, fieldError('field.branch'))
  .refine((branch) => !branch.includes('..') && !branch.includes('@{'), fieldError('field.branch'))
  .meta({ openapiFormat: 'branch' });

/** Whether git accepts the address of a repository. */
const isGitUrl = (url: string): boolean =>
  repositoryType(url) !== undefined && !url.startsWith('-') && !/[\r\n\0]/.test(url);

/** The address of a repository. */
export const GitUrl = text(2048)
  .trim()
  .min(1, fieldError('field.required'))
  .refine(isGitUrl, fieldError('field.git_url'))
  .meta({ openapiFormat: 'git-url' });

export const NewRepository = z
  .object({
    name: Name,
    git_url: text(2048).trim().min(1, fieldError('field.required')).meta({ openapiFormat: 'git-url' }),
    git_branch: Branch.default(''),
    ssh_key_id: Id,
  })
  .refine((r) => isGitUrl(r.git_url), { path: ['git_url'], ...fieldError('field.git_url') })
  .refine((r) => repositoryType(r.git_url) === 'local' || r.git_branch !== '', {
    path: ['git_branch'],
    ...fieldError('field.required'),
  })
  .meta({
    openapiRules: [
      {
        anyOf: [
          { properties: { git_url: { pattern: '^/' } } },
          needs({ git_branch: { type: 'string', minLength: 1 } }),
        ],
      },
    ],
  });

export const RepositoryChange = changeOf(NewRepository.shape);

export const InventoryType = z.enum(['static', 'static-yaml', 'file']);
export type InventoryType = z.infer<typeof InventoryType>;

export const Inventory = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  type: InventoryType,
  inventory: z.string(),
  ssh_key_id: Id,
  become_key_id: Id.nullable(),
  runner_tags: z
    .array(z.string())
    .describe('Tags that a runner needs for a task with this inventory that has no runner tags of its own.'),
});
export type Inventory = z.infer<typeof Inventory>;

/** A path in a checkout: relative and without leaving the checkout. */
export const CheckoutPath = text(1024)
  .trim()
  .min(1, fieldError('field.required'))
  .refine((path) => !path.startsWith('/') && !path.startsWith('-') && !/[\r\n]/.test(path), fieldError('field.path'))
  .refine((path) => !path.split('/').includes('..'), fieldError('field.path'))
  .meta({ openapiFormat: 'checkout-path' });

export const NewInventory = z
  .object({
    name: Name,
    type: InventoryType,
    inventory: text(2_097_152).default(''),
    ssh_key_id: Id,
    become_key_id: OptionalId.default(null),
    runner_tags: RunnerTags.default([]).describe(
      'Tags that a runner needs for a task with this inventory that has no runner tags of its own.',
    ),
  })
  .refine((i) => i.type !== 'file' || i.inventory.startsWith('/') || CheckoutPath.safeParse(i.inventory).success, {
    path: ['inventory'],
    ...fieldError('field.path'),
  })
  .meta({ openapiRules: [whenField('type', 'file', needs({ inventory: { minLength: 1, format: 'checkout-path' } }))] });

export const InventoryChange = changeOf(NewInventory.shape);

/**
 * The hosts and groups of an inventory by name, without any of their variables. A group has the hosts of the groups below
 * it too, unless these are too many: 200,000 names over all groups, or 2.5 MiB, at the most.
 */
export const InventoryHosts = z.object({
  hosts: z.array(z.string()),
  groups: z.array(z.object({ name: z.string(), hosts: z.array(z.string()) })),
});
export type InventoryHosts = z.infer<typeof InventoryHosts>;
