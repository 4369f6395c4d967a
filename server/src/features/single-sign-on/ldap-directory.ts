import { Client, type Entry, InvalidCredentialsError } from 'ldapts';
import type { LdapServer } from '../../settings/ldap-settings.ts';
import { emailFrom, nameFrom, type Profile } from './profile.ts';

/** Time-out after which a server counts as down, in milliseconds. */
const TIMEOUT_MS = 8_000;
const MAX_GROUPS = 1_000;

/** A directory could not be queried. */
export class DirectoryDown extends Error {
  override readonly name = 'DirectoryDown';
}

/** Escapes a value for a search filter. */
const escapeFilter = (value: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends a value in some servers
  value.replaceAll(/[\\*()\u0000]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

const textsOf = (entry: Entry, attribute: string): string[] => {
  // Attribute names are case-insensitive.
  const name = Object.keys(entry).find((key) => key.toLowerCase() === attribute.toLowerCase());
  const value = name === undefined ? [] : entry[name];
  return [value ?? []].flat().map((one) => (Buffer.isBuffer(one) ? one.toString('hex') : one));
};

const firstOf = (entry: Entry, attribute: string): string => textsOf(entry, attribute)[0] ?? '';

/** One LDAP server: finds users and verifies their passwords. */
export class LdapDirectory {
  readonly server: LdapServer;

  constructor(server: LdapServer) {
    this.server = server;
  }

  /**
   * Returns the person with this login and password.
   * @returns undefined for an unknown login or a wrong password
   * @throws DirectoryDown when the server does not answer or refuses the bind of this server
   */
  async verify(login: string, password: string): Promise<Profile | undefined> {
    // Servers accept a bind without a password as anonymous, so it proves nothing.
    if (login === '' || password === '') return undefined;
    return await this.#connected(async (client) => {
      await this.#bindAsServer(client);
      const entry = await this.#find(client, login);
      if (!entry || !(await this.#isPassword(entry.dn, password))) return undefined;
      return await this.#profileOf(client, entry, login);
    });
  }

  async #connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { url, startTls, ca } = this.server;
    const tlsOptions = { ...(ca === undefined ? {} : { ca }), minVersion: 'TLSv1.2' as const };
    const client = new Client({
      url,
      timeout: TIMEOUT_MS,
      connectTimeout: TIMEOUT_MS,
      ...(url.startsWith('ldaps:') ? { tlsOptions } : {}),
    });
    try {
      if (startTls) await client.startTLS({ ...tlsOptions, host: new URL(url).hostname });
      return await work(client);
    } catch (error) {
      if (error instanceof DirectoryDown) throw error;
      throw new DirectoryDown((error as Error).message, { cause: error });
    } finally {
      await client.unbind().catch(() => undefined);
    }
  }

  async #bindAsServer(client: Client): Promise<void> {
    const { bindDn, bindPassword } = this.server;
    if (bindDn !== undefined && bindPassword !== undefined) await client.bind(bindDn, bindPassword);
  }

  /** Returns the only entry with this login. With two entries it would be unclear whose password is verified. */
  async #find(client: Client, login: string): Promise<Entry | undefined> {
    const { searchBase, searchFilter, attributes } = this.server;
    const { searchEntries } = await client.search(searchBase, {
      scope: 'sub',
      filter: searchFilter.replaceAll('{login}', () => escapeFilter(login)),
      attributes: Object.values(attributes),
      explicitBufferAttributes: ['objectGUID'],
      sizeLimit: 2,
      timeLimit: TIMEOUT_MS / 1000,
    });
    return searchEntries.length === 1 ? searchEntries[0] : undefined;
  }

  /** Uses a connection of its own, because the first one stays bound as the service account. */
  async #isPassword(dn: string, password: string): Promise<boolean> {
    return await this.#connected(async (client) => {
      try {
        await client.bind(dn, password);
        return true;
      } catch (error) {
        if (error instanceof InvalidCredentialsError) return false;
        throw error;
      }
    });
  }

  async #profileOf(client: Client, entry: Entry, login: string): Promise<Profile> {
    const { attributes, source } = this.server;
    const email = emailFrom(firstOf(entry, attributes.email));
    const username = nameFrom(firstOf(entry, attributes.username)) || nameFrom(login) || source;
    return {
      subject: firstOf(entry, attributes.id) || entry.dn,
      username,
      name: nameFrom(firstOf(entry, attributes.name)) || username,
      email,
      // The administrators of a directory vouch for its addresses.
      emailVerified: email !== '',
      groups: [...textsOf(entry, attributes.groups), ...(await this.#searchGroups(client, entry.dn, login))],
    };
  }

  async #searchGroups(client: Client, dn: string, login: string): Promise<string[]> {
    const { groupSearch } = this.server;
    if (groupSearch === undefined) return [];
    const { searchEntries } = await client.search(groupSearch.base, {
      scope: 'sub',
      filter: groupSearch.filter
        .replaceAll('{dn}', () => escapeFilter(dn))
        .replaceAll('{login}', () => escapeFilter(login)),
      attributes: [groupSearch.attribute],
      sizeLimit: MAX_GROUPS,
      timeLimit: TIMEOUT_MS / 1000,
    });
    return searchEntries.flatMap((group) => textsOf(group, groupSearch.attribute));
  }
}
