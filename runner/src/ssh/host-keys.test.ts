import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WritableFolder } from '../files/writable-folder.ts';
import { HostKeys, hostKeyHint, refusedHostKeys } from './host-keys.ts';
import { sshConfig } from './ssh-config.ts';

const CHANGED =
  'Offending ED25519 key in /data/known-hosts/project-1:3\r\nHost key for [10.0.0.1]:2222 has changed and you have requested strict checking.\r\n';

describe('a refused host key', () => {
  it.each([
    ['in the output of ssh', CHANGED],
    ['in the output of Ansible', JSON.stringify({ msg: `Failed to connect: ${CHANGED}` })],
  ])('is recognized %s', (_, text) => {
    expect(refusedHostKeys(text)).toEqual([
      { host: '[10.0.0.1]:2222', type: 'changed', file: '/data/known-hosts/project-1' },
    ]);
  });

  it('is distinguished from an unknown one, and each host has its own file', () => {
    const text = `No ED25519 host key is known for web1 and you have requested strict checking.\n${CHANGED}${CHANGED.replace('project-1', 'all-projects').replace('10.0.0.1', '10.0.0.2')}`;
    expect(refusedHostKeys(text)).toEqual([
      { host: 'web1', type: 'unknown', file: undefined },
      { host: '[10.0.0.1]:2222', type: 'changed', file: '/data/known-hosts/project-1' },
      { host: '[10.0.0.2]:2222', type: 'changed', file: '/data/known-hosts/all-projects' },
    ]);
    expect(refusedHostKeys('Permission denied (publickey).')).toEqual([]);
  });

  it.each([
    ['on one line', 'Offending x key in /'],
    ['on separate lines', 'Offending x key in /a:1\n'],
  ])('is recognized quickly after many beginnings of the same %s, as a task can write them', (_, beginning) => {
    const refused = 'Host key for a has changed and you have requested strict\n'.repeat(200_000);
    const text = `${refused}${beginning.repeat(200_000)}\n${CHANGED}`;
    expect(refusedHostKeys(text).at(-1)).toEqual({
      host: '[10.0.0.1]:2222',
      type: 'changed',
      file: '/data/known-hosts/project-1',
    });
  });

  it('is reported in one message with the host, the file and the solution', () => {
    const changed = { host: 'web1', type: 'changed', file: undefined } as const;
    expect(hostKeyHint(changed, '/data/p')).toContain("ssh-keygen -R 'web1' -f '/data/p'");
    expect(hostKeyHint({ ...changed, type: 'unknown' }, '/data/p')).toContain('add that line to /data/p');
    // The copy for a run user is deleted with its run.
    const copy = '/data/places/1-1/secrets/ssh/known-hosts';
    expect(hostKeyHint({ ...changed, file: copy }, '/data/p')).toContain("-f '/data/p'");
    for (const file of ['/data/all-projects', '/etc/ssh/ssh_known_hosts'])
      expect(hostKeyHint({ ...changed, file }, '/data/p')).toContain(`-f '${file}'`);
    expect(hostKeyHint(changed, "/o'neil/p")).toContain("-f '/o'\\''neil/p'`");
  });

  it.each([["x'$(id)'"], ["x';id;'"], ['`id`'], ['-oProxyCommand=id'], ['x|id'], ['x\u001b[31m'], ['x'.repeat(300)]])(
    '[S5] is reported without a command for the invalid host name %s',
    (host) => {
      for (const text of [
        `Host key for ${host} has changed and you have requested strict checking.`,
        `No ED25519 host key is known for ${host} and you have requested strict checking.`,
      ]) {
        const [error] = refusedHostKeys(text);
        const message = error && hostKeyHint(error, '/data/p');
        expect(message).toMatch(/^The host key of a host is not /);
        expect(message).not.toContain('ssh-keygen');
        expect(message).not.toContain(host);
      }
    },
  );

  it.each(["/data/p' ; id '", '/tmp/other', '/etc/ssh/../passwd'])(
    '[S5] is reported without a command if it names the file %s, which is not a file of Signalbox',
    (file) => {
      const [error] = refusedHostKeys(`Offending RSA key in ${file}:1\n${CHANGED.split('\n')[1]}`);
      expect(error?.file).toBe(file);
      const message = error && hostKeyHint(error, '/data/p');
      expect(message).toMatch(/^The host key of \[10\.0\.0\.1\]:2222 is not /);
      expect(message).not.toContain('ssh-keygen');
      expect(message).not.toContain(file);
    },
  );
});

describe('the host keys of a project', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-known-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==';

  it('[S5] accept only new host keys from the copy of another user, and follow no link', async () => {
    const keys = new HostKeys(folder, 'accept-new');
    writeFileSync(keys.fileOf(1), `web1 ${KEY}`);
    writeFileSync(keys.shared, `web2 ${KEY}\n`);
    const copy = await keys.copyFor(1, WritableFolder.ofRunner(folder), 'copy');
    expect(readFileSync(copy, 'utf8')).toBe(`web1 ${KEY}\nweb2 ${KEY}\n`);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    writeFileSync(copy, `web2 ${KEY}\nweb3 ${KEY}\n@cert-authority * ${KEY}\n# a note\nweb4 nothing\n`);
    writeFileSync(keys.fileOf(1), `web1 ${KEY}\n`);
    await keys.addKeysFrom(1, copy);
    expect(readFileSync(keys.fileOf(1), 'utf8')).toBe(`web1 ${KEY}\nweb3 ${KEY}\n`);
    // A host has one key of each type. A run cannot add another, or a key for several hosts.
    const OTHER = KEY.replace(/.{4}$/, 'EVIL');
    writeFileSync(copy, `web1 ${OTHER}\n* ${KEY}\nweb?,web1 ${OTHER}\n!web1 ${KEY}\nweb4 ${KEY}\nweb4 ${OTHER}\n`);
    await keys.addKeysFrom(1, copy);
    expect(readFileSync(keys.fileOf(1), 'utf8')).toBe(`web1 ${KEY}\nweb3 ${KEY}\nweb4 ${KEY}\n`);
    writeFileSync(join(folder, 'outside'), `web5 ${KEY}\n`);
    symlinkSync(join(folder, 'outside'), join(folder, 'link'));
    for (const path of ['link', 'none', '.']) await keys.addKeysFrom(1, join(folder, path));
    expect(readFileSync(keys.fileOf(1), 'utf8')).not.toContain('web5');
    await new HostKeys(folder, 'strict').addKeysFrom(1, join(folder, 'outside'));
    expect(readFileSync(keys.fileOf(1), 'utf8')).not.toContain('web5');
  });
});

describe('the SSH configuration of a run', () => {
  const config = {
    policy: 'accept-new',
    knownHosts: ['/a b/100%', '/c'],
    socket: undefined,
    include: undefined,
  } as const;

  it('follows the configuration of the user, and precedes all others under the strict policy', () => {
    expect(sshConfig(config).split('\n')).toEqual([
      'Host *',
      '  ControlPath none',
      'Include ~/.ssh/config',
      'Host *',
      '  StrictHostKeyChecking accept-new',
      '  UserKnownHostsFile "/a b/100%%" "/c"',
      '  HashKnownHosts no',
      'Include /etc/ssh/ssh_config',
      '',
    ]);
    const strict = sshConfig({ ...config, policy: 'strict', socket: '/run/agent', include: '/checkout/ssh.cfg' });
    expect(strict.split('\n').slice(0, 9)).toEqual([
      'Host *',
      '  IdentityAgent "/run/agent"',
      '  IdentitiesOnly no',
      '  IdentityFile none',
      '  ControlPath none',
      '  StrictHostKeyChecking yes',
      '  UserKnownHostsFile "/a b/100%%" "/c"',
      '  HashKnownHosts no',
      'Include "/checkout/ssh.cfg"',
    ]);
    expect(strict).not.toContain('/etc/ssh/ssh_config');
  });
});
