import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config.ts';

const URL = 'https://signalbox.example/box';
const CORP = { issuer: 'https://id.example', client_id: 'signalbox' };

const write = (name: string, text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-sign-in-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const read = (content: object, environment: Record<string, string> = {}) =>
  readConfig({ SIGNALBOX_CONFIG: write('settings.yml', JSON.stringify({ url: URL, ...content })), ...environment });

const provider = (more: object) => ({ oidc_providers: { corp: { ...CORP, ...more } } });

describe('provider settings', () => {
  it('need an issuer and a client, and have defaults for everything else', () => {
    expect(read(provider({})).oidcProviders).toEqual([
      {
        ...{ source: 'oidc:corp', id: 'corp', name: 'corp', color: '', icon: '', issuer: 'https://id.example' },
        ...{ endpoints: undefined, clientId: 'signalbox', clientSecret: undefined, tokenAuth: undefined },
        scopes: ['openid', 'profile', 'email'],
        claims: { username: 'preferred_username', name: 'name', email: 'email', groups: 'groups' },
        redirectUrl: `${URL}/api/auth/oidc/corp/callback`,
        ...{ linkByVerifiedEmail: false, adminGroups: [], projectRoles: [] },
      },
    ]);
    expect(readConfig({})).toMatchObject({ loginWithPassword: true, oidcProviders: [] });
  });

  it('keep the configured order', () => {
    const { oidcProviders } = read({ oidc_providers: { b: { ...CORP, order: 2 }, a: { ...CORP, order: 1 }, c: CORP } });
    expect(oidcProviders.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  });

  it('read the secret from a file, without the line end', () => {
    const file = write('secret', 's3cret\n');
    expect(read(provider({ client_secret_file: file })).oidcProviders[0]?.clientSecret).toBe('s3cret');
  });

  it.each([
    [{ issuer: 'http://id.example' }, 'corp.issuer: must be an https address'],
    [{ issuer: 'https://me@id.example' }, 'corp.issuer: must be an https address'],
    [{ issuer: undefined }, 'corp.issuer: '],
    [{ client_secret: 'canary', client_secret_file: '/dev/null' }, 'corp.client_secret: is given twice'],
    [{ client_secret_file: '/nowhere/canary' }, 'corp.client_secret_file: cannot be read (ENOENT)'],
    [{ scopes: ['profile'] }, 'corp.scopes: must include openid'],
    [{ color: 'red; x' }, 'corp.color: must be a color'],
    [{ clientid: 'x' }, 'SIGNALBOX_OIDC_PROVIDERS.corp: '],
    [{ project_roles: [{ group: 'a', project: 'b', role: 'king' }] }, 'corp.project_roles.0.role: '],
    [{ endpoints: { authorization: 'https://id.example/a' } }, 'corp.endpoints.token: '],
  ])('reject %j', (more, message) => {
    expect(() => read(provider(more))).toThrow(message);
    expect(() => read(provider({ client_secret: 'canary', ...more }))).not.toThrow(/canary(?!:)/);
  });

  it('reject ids with a meaning in addresses', () => {
    for (const id of ['a/b', '..', '', 'a b']) {
      expect(() => read({ oidc_providers: { [id]: CORP } }), id).toThrow('The settings are wrong');
    }
  });

  it('determine the callback address', () => {
    expect(() => read({ url: null, ...provider({}) })).toThrow('corp: needs SIGNALBOX_URL or a redirect_url');
    const redirect_url = 'https://other.example/back';
    expect(read({ url: null, ...provider({ redirect_url }) }).oidcProviders[0]?.redirectUrl).toBe(redirect_url);
  });

  it('leave at least one way to sign in', () => {
    expect(() => readConfig({ SIGNALBOX_LOGIN_WITH_PASSWORD: 'false' })).toThrow('no user could sign in');
    expect(() => readConfig({ SIGNALBOX_LOGIN_WITH_PASSWORD: 'no' })).toThrow('must be true or false');
    expect(read({ login_with_password: false, ...provider({}) }).loginWithPassword).toBe(false);
    const environment = { SIGNALBOX_LOGIN_WITH_PASSWORD: 'true' };
    expect(read({ login_with_password: false, ...provider({}) }, environment).loginWithPassword).toBe(true);
  });

  it('are read from the file only', () => {
    const environment = { SIGNALBOX_OIDC_PROVIDERS: '{"corp":"canary"}' };
    expect(() => read({}, environment)).toThrow('SIGNALBOX_OIDC_PROVIDERS: is written in the file');
    expect(() => read({}, environment)).not.toThrow('canary');
  });
});
