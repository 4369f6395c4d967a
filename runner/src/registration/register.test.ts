import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type NodeProgram, startNode } from '../process/node-program.testing.ts';
import { makePrivateCertificate, startPrivateServer, startProxy } from '../testing/private-server.testing.ts';
import { TEST_PATH } from '../testing/runner-harness.testing.ts';

const SOURCE = join(import.meta.dirname, '..');

let certificate: ReturnType<typeof makePrivateCertificate>;
const certificates = mkdtempSync(join(tmpdir(), 'signalbox-certificates-'));
beforeAll(() => {
  certificate = makePrivateCertificate(certificates, 'DNS:signalbox.test,IP:127.0.0.1');
});
afterAll(() => rmSync(certificates, { recursive: true, force: true }));

/** A private server, a proxy to it, and a folder. Everything ends with the test. */
const setUp = async (status = 201, answer: object = { id: 7, name: 'edge', tags: [], token: 'own-token' }) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-register-'));
  const server = await startPrivateServer(certificate, { register: () => [status, answer] });
  const proxy = await startProxy(server.port);
  const programs: NodeProgram[] = [];
  onTestFinished(async () => {
    for (const program of programs) program.kill('SIGKILL');
    await Promise.all(programs.map(({ exited }) => exited));
    await Promise.all([proxy.close(), server.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const data = join(folder, 'data');
  const start = async (file: string, args: string[], more: Record<string, string>, input?: string) => {
    const env = { PATH: TEST_PATH, HOME: folder, SIGNALBOX_RUNNER_DATA: data, ...more };
    const program = await startNode(join(SOURCE, file), env, { args, ...(input === undefined ? {} : { input }) });
    programs.push(program);
    return program;
  };
  const register = async (args: string[], more: Record<string, string> = {}, input?: string) => {
    const program = await start('register.ts', ['register', ...args], more, input);
    return { code: await program.exited, text: program.stderr(), printed: program.stdout() };
  };
  const url = `https://127.0.0.1:${server.port}`;
  const credential = () => JSON.parse(readFileSync(join(data, 'credential.json'), 'utf8')) as object;
  return { folder, data, server, proxy, url, register, credential, run: (more = {}) => start('main.ts', [], more) };
};

const TOKEN = { SIGNALBOX_REGISTRATION_TOKEN: 'sbreg_1' };
const mode = (path: string): number => statSync(path).mode & 0o777;

describe('signalbox runner register', () => {
  it('[S10] stores the credential for its user only, and the runner starts with nothing but its data folder', async () => {
    const { data, server, url, register, run } = await setUp();
    const { code, text, printed } = await register(['--url', `${url}/`, '--ca', certificate.ca], TOKEN);
    expect([code, text]).toEqual([0, '']);
    expect(printed).toContain('Registered the runner edge');
    const program = join(SOURCE, '..', '..', 'bin', 'signalbox.mjs');
    expect(printed).toContain(`  SIGNALBOX_RUNNER_DATA=${data} `);
    expect(printed).toContain(`${program} runner\n`);
    expect(printed).not.toContain('own-token');
    expect(server.registrations).toEqual([
      { token: 'sbreg_1', name: null, host_name: expect.any(String), description: '', ephemeral: false },
    ]);
    expect([mode(data), mode(join(data, 'credential.json'))]).toEqual([0o700, 0o600]);
    expect(readdirSync(data)).toEqual(['credential.json']);
    const runner = await run();
    await expect.poll(() => server.links).toEqual(['Bearer own-token']);
    await expect.poll(() => runner.stderr()).toContain(`runner: Connected to ${url} as edge.`);
    runner.kill('SIGTERM');
    expect(await runner.exited).toBe(0);
  });

  it.each([
    ['an argument', (file: string) => [['--token', 'sbreg_2'], {}, undefined, file] as const],
    ['a file', (file: string) => [['--token-file', file], TOKEN, undefined, file] as const],
    ['standard input', (file: string) => [['--token-file', '-'], {}, 'sbreg_2\n', file] as const],
  ])('takes the token from %s', async (_, source) => {
    const { folder, server, url, register } = await setUp();
    const file = join(folder, 'token');
    writeFileSync(file, 'sbreg_2\n');
    const [args, more, input] = source(file);
    const { code, text } = await register(['--url', url, '--name', 'east', ...args], withCa(more), input);
    expect([code, text]).toEqual([0, '']);
    expect(server.registrations).toMatchObject([{ token: 'sbreg_2', name: 'east' }]);
  });

  it('and the runner reach the server through a proxy, except the addresses of no_proxy', async () => {
    const { server, proxy, register, run } = await setUp();
    const https_proxy = `http://user:secret@127.0.0.1:${proxy.port}`;
    const { code, text } = await register(['--url', 'https://signalbox.test', '--ca', certificate.ca], {
      ...TOKEN,
      https_proxy,
    });
    expect([code, text]).toEqual([0, '']);
    await run({ HTTPS_PROXY: https_proxy });
    await expect.poll(() => server.links).toEqual(['Bearer own-token']);
    expect(proxy.tunnels).toEqual(Array(2).fill(`signalbox.test:443 Basic ${btoa('user:secret')}`));
    const direct = await setUp();
    const around = { https_proxy: `http://127.0.0.1:${direct.proxy.port}`, no_proxy: '127.0.0.1' };
    const second = await direct.register(['--url', direct.url, '--ca', certificate.ca], { ...TOKEN, ...around });
    expect(second.code).toBe(0);
    await direct.run(around);
    await expect.poll(() => direct.server.links).toEqual(['Bearer own-token']);
    expect(direct.proxy.tunnels).toEqual([]);
  });

  it('trusts the authorities of NODE_EXTRA_CA_CERTS, and no unknown one', async () => {
    const { server, url, register, run } = await setUp();
    const refused = await register(['--url', url], TOKEN);
    expect(refused.code).toBe(1);
    expect(refused.text).toContain('cannot be reached');
    expect(server.registrations).toEqual([]);
    expect((await register(['--url', url], withCa(TOKEN))).code).toBe(0);
    await run(withCa({}));
    await expect.poll(() => server.links).toEqual(['Bearer own-token']);
  });

  it('replaces a credential only if it is asked to, and uses no token before', async () => {
    const { data, server, url, register, credential } = await setUp();
    mkdirSync(data);
    const before = { server: 'https://other.example', token: 'earlier', ca: '' };
    writeFileSync(join(data, 'credential.json'), JSON.stringify(before));
    const refused = await register(['--url', url], withCa(TOKEN));
    expect([refused.code, server.registrations]).toEqual([2, []]);
    expect(refused.text).toContain('A runner of https://other.example is already registered');
    expect(credential()).toEqual(before);
    expect((await register(['--url', url, '--replace'], withCa(TOKEN))).code).toBe(0);
    expect(credential()).toMatchObject({ server: url, token: 'own-token' });
  });

  it('does nothing while a runner uses the folder', async () => {
    const { server, url, register, run } = await setUp();
    await register(['--url', url], withCa(TOKEN));
    await run(withCa({}));
    await expect.poll(() => server.links).toHaveLength(1);
    const refused = await register(['--url', url, '--replace'], withCa(TOKEN));
    expect([refused.code, server.registrations.length]).toEqual([3, 1]);
  });

  it('prints why the server refuses, and stores nothing', async () => {
    const { data, url, register } = await setUp(401, { error: 'This registration token is used up.' });
    const { code, text } = await register(['--url', url], withCa(TOKEN));
    expect([code, text]).toEqual([1, 'This registration token is used up.\n']);
    expect(existsSync(data)).toBe(false);
  });

  it('keeps a data folder that it did not create when the server refuses', async () => {
    const { data, url, register } = await setUp(401, { error: 'This registration token is used up.' });
    mkdirSync(data);
    expect((await register(['--url', url], withCa(TOKEN))).code).toBe(1);
    expect(readdirSync(data)).toEqual([]);
  });

  it('prints a command that starts the runner in any folder', async () => {
    const { folder, server, url, register } = await setUp();
    const { printed } = await register(['--url', url, '--data', join(folder, "it's here")], withCa(TOKEN));
    const env = withCa({ PATH: TEST_PATH, HOME: folder });
    const shell = spawn('sh', ['-c', `exec env ${printed.split('\n').at(-2)?.trim()}`], { cwd: '/', env });
    const ended = once(shell, 'close');
    onTestFinished(async () => {
      shell.kill('SIGTERM');
      await ended;
    });
    await expect.poll(() => server.links).toEqual(['Bearer own-token']);
  });

  it.each([
    [['--url', 'ftp://example'], TOKEN, '--url must be an http(s) address'],
    [['--url', 'https://user:x@example'], TOKEN, '--url must be the address of the server only'],
    [[], TOKEN, '--url is required'],
    [['--url', 'https://example'], {}, '--token-file or SIGNALBOX_REGISTRATION_TOKEN is required'],
    [['--url', 'https://example', '--token', 'a', '--token-file', 'b'], {}, 'not both'],
    [['--url', 'https://example', '--ca', '/missing'], TOKEN, 'The certificate /missing cannot be read'],
    [['--unknown'], TOKEN, "Unknown option '--unknown'"],
  ])('refuses wrong options: %j', async (args, more, expected) => {
    const { code, text } = await (await setUp()).register(args, more);
    expect(code).toBe(2);
    expect(text).toContain(expected);
  });
});

const withCa = (more: Record<string, string>): Record<string, string> => ({
  ...more,
  NODE_EXTRA_CA_CERTS: certificate.ca,
});

describe('a runner without a credential', () => {
  it('does not start, and names how to register', async () => {
    const { run } = await setUp();
    const runner = await run();
    expect(await runner.exited).toBe(2);
    expect(runner.stderr()).toContain('signalbox runner register');
  });
});
