import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { RoleSlug } from '@signalbox/contract';
import { z } from 'zod';

export const texts = z.string().trim().min(1).max(255);
const list = z.array(texts).default([]);

/** Ids are part of addresses and of stored identities. */
export const SourceId = z
  .string()
  .regex(/^[A-Za-z0-9][\w-]{0,63}$/, 'must have at most 64 letters, digits, _ and -, because it is part of addresses');

export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));

/** An address for secrets, tokens and choices: HTTP is allowed only on this machine. */
export const SafeUrl = z.url({ protocol: /^https?$/ }).refine((text) => {
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.hash === '' && (url.protocol === 'https:' || isLoopback(url));
}, 'must be an https address without a user and a fragment');

export const fileOf = (name: string) =>
  z
    .string()
    .refine(isAbsolute, 'must be an absolute path')
    .transform((path, context) => {
      try {
        return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      } catch (error) {
        context.addIssue(`cannot be read (${(error as NodeJS.ErrnoException).code}): ${name} is expected there`);
        return z.NEVER;
      }
    });

/** The rights that groups of a user grant. */
export const GroupRules = {
  admin_groups: list,
  project_roles: z
    .array(z.strictObject({ group: texts, project: z.union([z.int().min(1), texts]), role: RoleSlug }))
    .default([]),
};

const claim = (byDefault: string) => texts.default(byDefault);

const Provider = z
  .strictObject({
    display_name: texts.optional(),
    name: texts.optional(),
    color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #1a73e8')
      .optional(),
    icon: z.string().max(64).default(''),
    order: z.number().default(0),
    issuer: SafeUrl,
    endpoints: z
      .strictObject({ authorization: SafeUrl, token: SafeUrl, jwks: SafeUrl, userinfo: SafeUrl.optional() })
      .optional(),
    client_id: texts,
    client_secret: z.string().min(1).optional(),
    client_secret_file: fileOf('the secret').optional(),
    token_auth: z.enum(['basic', 'post']).optional(),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be names without blanks'))
      .default(['openid', 'profile', 'email'])
      .refine((scopes) => scopes.includes('openid'), 'must include openid'),
    username_claim: claim('preferred_username'),
    name_claim: claim('name'),
    email_claim: claim('email'),
    groups_claim: claim('groups'),
    redirect_url: SafeUrl.refine((url) => !url.includes('?'), 'must have no query').optional(),
    link_by_verified_email: z.boolean().default(false),
    ...GroupRules,
  })
  .refine((one) => one.client_secret === undefined || one.client_secret_file === undefined, {
    message: 'is given twice: as client_secret and as client_secret_file',
    path: ['client_secret'],
  });

/** Providers by id, as in the settings file. */
export const OidcProviders = z.record(SourceId, Provider);

interface SignOnRules {
  readonly adminGroups: readonly string[];
  readonly projectRoles: readonly {
    readonly group: string;
    readonly project: number | string;
    readonly role: RoleSlug;
  }[];
}

/** A provider or directory that users sign in with. */
export interface SignOnSource extends SignOnRules {
  /** Prefix of the stored identities: `oidc:` or `ldap:` and the id. */
  readonly source: string;
  readonly id: string;
  /** Name that users see. */
  readonly name: string;
  /** Whether a user with the same email address, verified by the provider, is the same user. */
  readonly linkByVerifiedEmail: boolean;
}

export interface OidcProvider extends SignOnSource {
  readonly color: string;
  readonly icon: string;
  readonly issuer: string;
  /** Set when the provider has no discovery document. */
  readonly endpoints:
    | {
        readonly authorization: string;
        readonly token: string;
        readonly jwks: string;
        readonly userinfo?: string | undefined;
      }
    | undefined;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly tokenAuth: 'basic' | 'post' | undefined;
  readonly scopes: readonly string[];
  readonly claims: Readonly<Record<'username' | 'name' | 'email' | 'groups', string>>;
  /** Address to which the provider redirects the browser. */
  readonly redirectUrl: string;
}

/** The providers in the order in which the sign-in page shows them. */
export const oidcProviders = (
  settings: z.output<typeof OidcProviders>,
  publicUrl: string | undefined,
): OidcProvider[] =>
  Object.entries(settings)
    .toSorted(([, a], [, b]) => a.order - b.order)
    .map(([id, one]) => ({
      source: `oidc:${id}`,
      id,
      name: one.display_name ?? one.name ?? id,
      color: one.color ?? '',
      icon: one.icon,
      issuer: one.issuer,
      endpoints: one.endpoints,
      clientId: one.client_id,
      clientSecret: one.client_secret ?? one.client_secret_file,
      tokenAuth: one.token_auth,
      scopes: one.scopes,
      claims: { username: one.username_claim, name: one.name_claim, email: one.email_claim, groups: one.groups_claim },
      redirectUrl: one.redirect_url ?? `${publicUrl ?? ''}/api/auth/oidc/${id}/callback`,
      linkByVerifiedEmail: one.link_by_verified_email,
      adminGroups: one.admin_groups,
      projectRoles: one.project_roles,
    }));

/** Ids of providers without a callback address: neither they nor the server have a public address. */
export const providersWithoutReturn = (
  settings: z.output<typeof OidcProviders>,
  publicUrl: string | undefined,
): string[] =>
  publicUrl === undefined
    ? Object.entries(settings)
        .filter(([, { redirect_url }]) => redirect_url === undefined)
        .map(([id]) => id)
    : [];
