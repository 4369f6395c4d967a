import { z } from 'zod';
import { fileOf, GroupRules, isLoopback, type SignOnSource, SourceId, texts } from './sign-in-settings.ts';

const attribute = (byDefault: string) =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9;-]*$/, 'must be the name of an attribute')
    .default(byDefault);

const filterWith = (...locations: string[]) =>
  z
    .string()
    .startsWith('(', 'must be a filter in parentheses')
    .endsWith(')', 'must be a filter in parentheses')
    .refine(
      (text) => locations.some((location) => text.includes(`{${location}}`)),
      `must hold ${locations.map((location) => `{${location}}`).join(' or ')}`,
    );

const Server = z
  .strictObject({
    id: SourceId,
    name: texts.optional(),
    url: z.url({ protocol: /^ldaps?$/ }),
    start_tls: z.boolean().default(false),
    ca_file: fileOf('a certificate').optional(),
    bind_dn: texts.optional(),
    bind_password: z.string().min(1).optional(),
    bind_password_file: fileOf('the password').optional(),
    search_base: z.string().max(1000),
    search_filter: filterWith('login').default('(uid={login})'),
    id_attribute: attribute('entryUUID'),
    username_attribute: attribute('uid'),
    name_attribute: attribute('cn'),
    email_attribute: attribute('mail'),
    groups_attribute: attribute('memberOf'),
    group_search_base: z.string().max(1000).optional(),
    group_search_filter: filterWith('dn', 'login').default('(member={dn})'),
    group_name_attribute: attribute('cn'),
    link_by_email: z.boolean().default(false),
    ...GroupRules,
  })
  .refine(({ url, start_tls }) => url.startsWith('ldaps:') || start_tls || isLoopback(new URL(url)), {
    message: 'would send passwords unencrypted: use ldaps:// or start_tls',
    path: ['url'],
  })
  .refine(({ url, start_tls }) => !(url.startsWith('ldaps:') && start_tls), {
    message: 'is for ldap:// addresses; ldaps:// uses TLS from the beginning',
    path: ['start_tls'],
  })
  .refine((one) => one.bind_password === undefined || one.bind_password_file === undefined, {
    message: 'is given twice: as bind_password and as bind_password_file',
    path: ['bind_password'],
  })
  .refine((one) => (one.bind_dn === undefined) === ((one.bind_password ?? one.bind_password_file) === undefined), {
    message: 'and bind_password need each other',
    path: ['bind_dn'],
  });

/** LDAP servers in the order in which they are queried. */
export const LdapServers = z
  .array(Server)
  .refine((servers) => new Set(servers.map(({ id }) => id)).size === servers.length, 'must have unique ids');

export interface LdapServer extends SignOnSource {
  readonly url: string;
  readonly startTls: boolean;
  /** Trusted CA certificates, instead of those of the system. */
  readonly ca: string | undefined;
  /** Bind DN for searches. Undefined: search anonymously. */
  readonly bindDn: string | undefined;
  readonly bindPassword: string | undefined;
  readonly searchBase: string;
  /** The filter for users; `{login}` stands for the escaped login. */
  readonly searchFilter: string;
  readonly attributes: Readonly<Record<'id' | 'username' | 'name' | 'email' | 'groups', string>>;
  /** Search for groups, in addition to the group attribute of the user. */
  readonly groupSearch: { readonly base: string; readonly filter: string; readonly attribute: string } | undefined;
}

export const ldapServers = (settings: z.output<typeof LdapServers>): LdapServer[] =>
  settings.map((one) => ({
    source: `ldap:${one.id}`,
    id: one.id,
    name: one.name ?? one.id,
    url: one.url,
    startTls: one.start_tls,
    ca: one.ca_file,
    bindDn: one.bind_dn,
    bindPassword: one.bind_password ?? one.bind_password_file,
    searchBase: one.search_base,
    searchFilter: one.search_filter,
    attributes: {
      id: one.id_attribute,
      username: one.username_attribute,
      name: one.name_attribute,
      email: one.email_attribute,
      groups: one.groups_attribute,
    },
    groupSearch:
      one.group_search_base === undefined
        ? undefined
        : { base: one.group_search_base, filter: one.group_search_filter, attribute: one.group_name_attribute },
    linkByVerifiedEmail: one.link_by_email,
    adminGroups: one.admin_groups,
    projectRoles: one.project_roles,
  }));
