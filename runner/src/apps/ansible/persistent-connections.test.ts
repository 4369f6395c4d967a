import { readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Access } from '@signalbox/contract/link';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { withoutColours } from '../../output/plain-text.ts';
import { openHarness, play } from '../../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../../testing/runner-harness.testing.ts';
import { inventoryLine, type KeyPair, makeKey, type SshHost, startSshHost } from '../../testing/sshd.testing.ts';

let key: KeyPair;
let host: SshHost;
let harness: RunnerHarness;

beforeAll(async () => {
  key = await makeKey('ed25519');
  host = await startSshHost({ name: 'host2', address: '127.0.0.2', authorized: [key.public_key] });
});
afterAll(() => host.stop());
afterEach(() => harness.close());

/** The process titles of open connections whose sockets are in a folder of the test. */
const kept = () =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const title = readFileSync(`/proc/${name}/cmdline`, 'latin1');
      return title.startsWith('ssh: ') && title.includes(harness.folder) ? [title] : [];
    } catch {
      return [];
    }
  });

const SITE = play('- ansible.builtin.raw: echo reached {{ inventory_hostname }}');
const KEEP = '-o ControlMaster=auto -o ControlPersist=60s';
const LONG = 'x'.repeat(60);

/** Where a repository can set the folder of the sockets of connections. */
const SETTINGS: readonly (readonly [string, { ini: (at: string) => string; variable?: (at: string) => string }])[] = [
  ['ssh_args', { ini: (at: string) => `ssh_args = ${KEEP} -o ControlPath=${at}` }],
  ['ssh_common_args', { ini: (at: string) => `ssh_common_args = -o "ControlPath ${at}"` }],
  ['control_path', { ini: (at: string) => `control_path = ${at.replaceAll('%', '%%')}` }],
  ['control_path, too long for a socket', { ini: () => `control_path = %(directory)s/${LONG}-%%h-%%r` }],
  ['a configuration of ssh', { ini: () => 'ssh_args = -F ssh.cfg' }],
  ['the inventory', { ini: () => '', variable: (at: string) => `ansible_ssh_common_args='-o ControlPath=${at}'` }],
];

describe('[S5] a connection that is kept for later tasks', () => {
  it.each(drawSample('settings of kept connections: all', SETTINGS, 2))(
    'ends with its run although %s sets its folder',
    async (_, { ini, variable }) => {
      harness = await openHarness({});
      const at = `${harness.folder}/cm-%r@%h-%p`;
      harness.write({
        'site.yml': SITE,
        'ansible.cfg': `[ssh_connection]\n${ini(at)}\n`,
        'ssh.cfg': `Host *\n  ControlMaster auto\n  ControlPersist 60s\n  ControlPath ${at}\n`,
      });
      await harness.startRunner();
      await harness.server.message('hello');
      const end = async (id: number, access: Access) => {
        const text = inventoryLine(host, variable?.(at) ?? '');
        const inventory = { type: 'static', inventory: text, access, become: null } as const;
        const run = harness.server.sendJob(harness.job(id, { project_id: id, inventory }));
        await harness.server.until(() => run.ended, 'the end', 60_000);
        return { ...run, text: run.lines.map(withoutColours).join('\n') };
      };
      const { private_key, passphrase } = key;
      const first = await end(1, { type: 'ssh', login: userInfo().username, private_key, passphrase });
      expect(first.ended?.result, first.text).toBe('success');
      expect(kept()).toEqual([]);
      expect(readdirSync(harness.folder).filter((name) => name.startsWith('cm-'))).toEqual([]);
      const second = await end(2, { type: 'none' });
      expect(second.text).toContain('Permission denied');
      expect(second.ended?.result, second.text).toBe('error');
    },
  );
});
