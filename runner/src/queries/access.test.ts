import { join } from 'node:path';
import type { Access } from '@signalbox/contract/link';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRepository } from '../testing/git-repository.testing.ts';
import { type GitWebServer, startGitWebServer } from '../testing/git-web-server.testing.ts';
import { openHarness } from '../testing/playbooks.testing.ts';
import { askRunner, queryWorkspacesOf } from '../testing/query.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';
import { type KeyPair, makeKey, type SshHost, startSshHost } from '../testing/sshd.testing.ts';

let harness: RunnerHarness;
let web: GitWebServer;
let host: SshHost;
const keys: Record<string, KeyPair> = {};

beforeAll(async () => {
  harness = await openHarness();
  await makeRepository(join(harness.folder, 'web', 'plays.git'), { 'site.yml': '' }).then((repository) =>
    repository.git('branch', 'next'),
  );
  keys.plain = await makeKey('ed25519');
  keys.locked = await makeKey('rsa', 'the hidden passphrase');
  keys.stranger = await makeKey('ed25519');
  web = await startGitWebServer(join(harness.folder, 'web'), { user: 'ann', password: 'hidden-password' });
  const authorized = [keys.plain.public_key, keys.locked.public_key];
  host = await startSshHost({ name: 'git', address: '127.0.0.2', authorized });
  await harness.startRunner({ SSL_CERT_FILE: web.authority });
  await harness.server.message('hello');
}, 60_000);
afterAll(async () => {
  await host.stop();
  await web.close();
  await harness.close();
});

const test = (access: Access, url: string | null) =>
  askRunner(harness, { ask: 'access', access, repository: url === null ? null : { url, branch: '', project_id: 1 } });
const ssh = (name: string, passphrase = keys[name]?.passphrase ?? ''): Access => ({
  type: 'ssh',
  login: '',
  private_key: keys[name]?.private_key ?? '',
  passphrase,
});
const login = (password: string): Access => ({ type: 'login_password', login: 'ann', password });
const overSsh = () => `ssh://${host.address}:${host.port}${harness.folder}/web/plays.git`;
const SHA256 = expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/);

describe('a test of access', () => {
  it('returns the fingerprint of an SSH key after opening it', async () => {
    expect(await test(ssh('plain'), null)).toEqual({
      ask: 'access',
      key: { type: 'ED25519', bits: 256, fingerprint: SHA256 },
      branches: null,
    });
    expect(await test(ssh('locked'), null)).toMatchObject({ key: { type: 'RSA', bits: 2048, fingerprint: SHA256 } });
    for (const [access, code, error] of [
      [
        ssh('locked', 'a wrong one'),
        'key.passphrase_wrong',
        'The passphrase of the ssh key is wrong, or the key is damaged.',
      ],
      [
        ssh('locked', ''),
        'key.damaged',
        'The ssh key cannot be used: it is damaged, or it has a passphrase that is not stored with it.',
      ],
    ] as const)
      expect(await test(access, null)).toMatchObject({ ask: 'refused', error, reason: { code } });
  });

  it('finds the branches of a repository over SSH, over HTTPS and on this machine', async () => {
    const branches = ['main', 'next'];
    expect(await test(ssh('plain'), overSsh())).toMatchObject({ key: { type: 'ED25519' }, branches });
    expect(await test(ssh('locked'), overSsh())).toMatchObject({ key: { type: 'RSA' }, branches });
    expect(await test(login('hidden-password'), `${web.origin}/plays.git`)).toEqual({
      ask: 'access',
      key: null,
      branches,
    });
    expect(await test({ type: 'none' }, `file://${harness.folder}/web/plays.git`)).toMatchObject({ branches });
    expect(await test({ type: 'none' }, harness.repository)).toEqual({ ask: 'access', key: null, branches: null });
  });

  it('[S3] reports why a key is refused with the messages of git and ssh, without secrets', async () => {
    const none: Access = { type: 'none' };
    for (const [access, url, code, error] of [
      [ssh('stranger'), overSsh(), 'git.key_refused', /does not accept the key \(it takes publickey/],
      [login('hidden-wrong'), `${web.origin}/plays.git`, 'git.login_refused', /does not accept the login and password/],
      [none, `${web.origin}/plays.git`, 'git.login_missing', /asks for a login and a password/],
      [
        none,
        `https://ann:hidden-wrong@${web.origin.slice('https://'.length)}/plays.git`,
        'git.login_refused',
        /does not accept the login/,
      ],
      [login('hidden-password'), `${web.origin}/other.git`, 'git.unreachable', /cannot be reached: .*not found/],
      [ssh('plain'), `ssh://${host.address}:1/x`, 'git.unreachable', /cannot be reached: .*(refused|closed)/i],
    ] as const)
      expect(await test(access, url), url).toEqual({
        ask: 'refused',
        error: expect.stringMatching(error),
        reason: { code, params: expect.objectContaining({ repository: url.replace(/ann:.*@/, '') }) },
      });
    expect(JSON.stringify(harness.server.messages)).not.toContain('hidden');
    expect(JSON.stringify(harness.server.messages)).not.toContain('PRIVATE KEY');
    expect(queryWorkspacesOf(harness)).toEqual([]);
  });

  it('[S7] never treats an address as an option or a command', async () => {
    for (const url of [
      'ext::touch /tmp/x',
      '--upload-pack=touch',
      'ssh://-oProxyCommand=touch/x',
      '-oProxyCommand=x:y',
    ])
      expect(await test({ type: 'none' }, url), url).toMatchObject({ ask: 'refused' });
  });
});
