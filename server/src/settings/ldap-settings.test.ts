import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config.ts';

const CORP = { id: 'corp', url: 'ldaps://ldap.example', search_base: 'dc=corp,dc=example' };

const read = (...ldap_servers: object[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-ldap-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'settings.yml'), JSON.stringify({ ldap_servers }));
  return readConfig({ SIGNALBOX_CONFIG: join(folder, 'settings.yml') }).ldapServers;
};

describe('directory settings', () => {
  it('need an address and a search base, and have defaults for everything else', () => {
    expect(read(CORP)).toEqual([
      {
        ...{ source: 'ldap:corp', id: 'corp', name: 'corp', url: 'ldaps://ldap.example', startTls: false },
        ...{ ca: undefined, bindDn: undefined, bindPassword: undefined, groupSearch: undefined },
        ...{ searchBase: 'dc=corp,dc=example', searchFilter: '(uid={login})' },
        attributes: { id: 'entryUUID', username: 'uid', name: 'cn', email: 'mail', groups: 'memberOf' },
        ...{ linkByVerifiedEmail: false, adminGroups: [], projectRoles: [] },
      },
    ]);
    const [searching] = read({ ...CORP, group_search_base: 'ou=groups' });
    expect(searching?.groupSearch).toEqual({ base: 'ou=groups', filter: '(member={dn})', attribute: 'cn' });
  });

  it.each([
    [{ url: 'ldap://ldap.example' }, '0.url: would send passwords unencrypted'],
    [{ url: 'https://ldap.example' }, '0.url: '],
    [{ start_tls: true }, '0.start_tls: is for ldap:// addresses'],
    [{ search_filter: '(uid=mara)' }, '0.search_filter: must hold {login}'],
    [{ search_filter: 'uid={login}' }, '0.search_filter: must be a filter in parentheses'],
    [{ bind_dn: 'cn=reader' }, '0.bind_dn: and bind_password need each other'],
    [{ bind_password: 'canary' }, '0.bind_dn: and bind_password need each other'],
    [{ bind_password: 'canary', bind_password_file: '/dev/null' }, '0.bind_password: is given twice'],
    [{ ca_file: '/nowhere/ca.pem' }, '0.ca_file: cannot be read (ENOENT)'],
    [{ email_attribute: 'mail)(x' }, '0.email_attribute: must be the name of an attribute'],
    [{ id: 'a b' }, '0.id: must have at most 64'],
  ])('reject %j', (more, text) => {
    expect(() => read({ ...CORP, ...more })).toThrow(text);
    expect(() => read({ ...CORP, ...more })).not.toThrow('canary');
  });

  it('reject duplicate ids, and allow an unencrypted directory on this machine only', () => {
    expect(() => read(CORP, CORP)).toThrow('SIGNALBOX_LDAP_SERVERS: must have unique ids');
    expect(read({ ...CORP, url: 'ldap://127.0.0.1:389' })).toHaveLength(1);
    expect(read({ ...CORP, url: 'ldap://ldap.example', start_tls: true })[0]?.startTls).toBe(true);
  });
});
