import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killProcessesNaming } from '../process/process-table.ts';
import { runProgram } from '../process/program.ts';
import { TEST_PATH } from '../testing/runner-harness.testing.ts';
import { makeKey } from '../testing/sshd.testing.ts';
import { endAgents, openSshKey, type SshKey } from './ssh-key.ts';

const env = { PATH: TEST_PATH };
const { signal } = new AbortController();
let folder: string;
let next = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-agent-'));
});
afterAll(async () => {
  await killProcessesNaming(`${folder}/`);
  rmSync(folder, { recursive: true });
});

const open = (key: SshKey, home = join(folder, `${next++}`)) => {
  mkdirSync(home, { mode: 0o700 });
  return openSshKey(key, { folder: home, privately: join(home, 'open'), env, signal });
};
const listed = async (socket: string) => {
  const end = await runProgram('ssh-add', ['-L'], { env: { ...env, SSH_AUTH_SOCK: socket }, timeoutMs: 10_000 });
  return end.stdout.split('\n').filter((row) => row !== '');
};

describe('[S5] an ssh key', () => {
  it.each([
    ['ed25519', ''],
    ['rsa', ''],
    ['ed25519', 'it\'s $(id) "quoted" ü'],
    ['rsa', 'opens it'],
  ] as const)('of the type %s with the passphrase %j is in its agent, and in no file', async (type, passphrase) => {
    const key = await makeKey(type, passphrase);
    const opened = await open({ ...key, private_key: key.private_key.replaceAll('\n', '\r\n') });
    const [row = '', ...more] = await listed(opened.socket);
    expect(more).toEqual([]);
    expect(row.split(' ').slice(0, 2)).toEqual(key.public_key.split(' ').slice(0, 2));
    expect(readdirSync(join(opened.socket, '..'))).toEqual(['agent']);
    await opened.close();
    expect(await listed(opened.socket)).toEqual([]);
  });

  it.each([
    ['unchanged', (text) => text],
    ['with empty lines around it', (text) => `\n\n${text}\n\n`],
    ['with a byte order mark', (text) => `\ufeff${text}`],
    ['indented, as in YAML', (text) => text.replace(/^/gm, '    ')],
    ['with trailing blanks', (text) => text.replace(/$/gm, '  ')],
    ['with a comment before it', (text) => `# of the web servers\n${text}`],
    ['with CR line ends', (text) => text.replaceAll('\n', '\r')],
    ['without a final newline', (text) => text.trimEnd()],
  ] as [string, (text: string) => string][])('is accepted if pasted %s', async (_, paste) => {
    for (const key of [await makeKey('ed25519', 'opens it'), await makeKey('rsa', 'opens it', 'PEM')]) {
      const opened = await open({ ...key, private_key: paste(key.private_key) });
      expect((await listed(opened.socket)).map((row) => row.split(' ')[1])).toEqual([key.public_key.split(' ')[1]]);
      await opened.close();
    }
  });

  it('is refused with one message if it cannot be opened, and leaves no agent and no file', async () => {
    const { private_key } = await makeKey('ed25519', 'opens it');
    for (const [key, message] of [
      [{ private_key, passphrase: 'wrong' }, 'The passphrase of the ssh key is wrong, or the key is damaged.'],
      [{ private_key, passphrase: '' }, 'has a passphrase that is not stored with it'],
      [{ private_key: 'nothing', passphrase: '' }, 'it is damaged'],
    ] as const) {
      const home = join(folder, `${next++}`);
      await expect(open(key, home)).rejects.toThrow(message);
      // The killed agent could not remove its socket, but no process listens there.
      expect(readdirSync(home)).toEqual(['agent']);
      expect(await listed(join(home, 'agent'))).toEqual([]);
    }
  });

  it('is refused with one message if the path is too long for a socket', async () => {
    const home = join(folder, 'x'.repeat(100));
    await expect(open({ private_key: '', passphrase: '' }, home)).rejects.toMatchObject({
      message: expect.stringContaining('data folder is too long'),
      endReason: {
        code: 'key.agent_failed',
        params: { detail_code: 'socket_path_too_long', detail_value: join(home, 'agent') },
      },
    });
  });

  it('is removed from an agent whose parent has ended, which is found by its folder', async () => {
    const [one, other] = [await open(await makeKey('ed25519')), await open(await makeKey('ed25519'))];
    await endAgents(join(one.socket, '..'));
    expect(await listed(one.socket)).toEqual([]);
    expect(await listed(other.socket)).toHaveLength(1);
    await endAgents(join(folder, 'none'));
    await other.close();
    expect(existsSync(other.socket)).toBe(true);
  });

  it.each([
    ['removed', (socket: string) => rmSync(socket)],
    ['moved away', (socket: string) => renameSync(socket, join(folder, `${next++}`))],
  ])('is also removed from an agent whose socket was %s', async (_, change) => {
    const { socket } = await open(await makeKey('ed25519'));
    change(socket);
    await endAgents(join(socket, '..'));
    expect(await killProcessesNaming(socket, 0)).toBe(true);
  });
});
