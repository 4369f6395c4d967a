import { z } from 'zod';
import { fileOf, GroupRules, isLoopback, type SignOnSource, SourceId, words } from './sign-in-settings.ts';

const attribute = (byDefault: string) =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9;-]*$/, 'must be the name of an attribute')
    .default(byDefault);

const filterWith = (...places: string[]) =>
  z
    .string()
    .startsWith('(', 'must be a filter in parentheses')
    .endsWith(')', 'must be a filter in parentheses')
    .refine(
      (text) => places.some((place) => text.includes(`{${place}}`)),
      `must hold ${places.map((place) => `{${place}}`).join(' or ')}`,
    );

const Server = z
  .strictObject({
    id: SourceId,
    name: words.optional(),
    url: z.url({ protocol: /^ldaps?$/ }),
    start_tls: z.boolean().default(false),
    ca_file: fileOf('a certificate').optional(),
    bind_dn: words.optional(),
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
    message: 'would send passwords in the clear: use ldaps:// or start_tls',
    path: ['url'],
  })
  .refine(({ url, start_tls }) => !(url.startsWith('ldaps:') && start_tls), {
    message: 'is for ldap:// addresses; ldaps:// has TLS from the beginning',
    path: ['start_tls'],
  })
  .refine((one) => one.bind_password === undefined || one.bind_password_file === undefined, {
    message: 'is given twice: as bind_password and as bind_password_file',
    path: ['bind_password'],
  })
  .refine((one) => (one.bind_dn === undefined) === ((one.bind_password ?? one.bind_password_file) === undefined), {
    message: 'and bind_password go together',
    path: ['bind_dn'],
  });

/** LDAP servers in the order in which they are asked. */
export const LdapServers = z
  .array(Server)
  .refine((servers) => new Set(servers.map(({ id }) => id)).size === servers.length, 'must have ids of their own');

export interface LdapServer extends SignOnSource {
  readonly url: string;
  readonly startTls: boolean;
  /** Certificates of authorities to trust instead of the machine's. */
  readonly ca: string | undefined;
  /** As whom people are looked for; nobody where undefined. */
  readonly bindDn: string | undefined;
  readonly bindPassword: string | undefined;
  readonly searchBase: string;
  /** With `{login}` where the escaped login goes. */
  readonly searchFilter: string;
  readonly attributes: Readonly<Record<'id' | 'username' | 'name' | 'email' | 'groups', string>>;
  /** Where groups are looked for, beside the attribute of the person. */
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
