import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RunnerHarness } from '../testing/runner-harness.testing.ts';
import { findAccess } from './runner-access.ts';

const ID = '8a3f5a36-0b6c-4d3c-9f0e-3d1f9f6d2a11';

/** A registered runner, its server, and its credential. */
const setUp = async () => {
  const harness = new RunnerHarness({});
  onTestFinished(() => harness.close());
  await harness.server.listen();
  mkdirSync(harness.data, { mode: 0o700 });
  const file = join(harness.data, 'credential.json');
  writeFileSync(file, JSON.stringify({ server: `unix:${harness.server.socketPath}`, token: 'first' }), { mode: 0o600 });
  const start = () => harness.startRunner({ SIGNALBOX_SERVER: '', SIGNALBOX_RUNNER_TOKEN_FILE: '' });
  const credential = () => JSON.parse(readFileSync(file, 'utf8')) as { token: string; earlier?: string[] };
  return { harness, server: harness.server, file, start, credential };
};

describe('[S10] a registered runner', () => {
  it('stores a new token before it confirms it, and uses it from then on', async () => {
    const { server, file, start, credential } = await setUp();
    await start();
    expect(await server.message('hello')).toMatchObject({ replaces_token: true });
    server.send({ type: 'new_token', id: ID, token: 'second' });
    await server.message('token_stored', ({ id }) => id === ID);
    expect(credential()).toMatchObject({ token: 'second', earlier: ['first'] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    server.cut();
    await server.until(() => server.tokens.length === 2, 'a second link');
    expect(server.tokens).toEqual(['Bearer first', 'Bearer second']);
  });

  it('uses the new token after it was killed at once', async () => {
    const { server, start, credential } = await setUp();
    const killed = await start();
    await server.message('hello');
    server.send({ type: 'new_token', id: ID, token: 'second' });
    await expect.poll(() => credential().token).toBe('second');
    killed.kill('SIGKILL');
    await killed.exited;
    await start();
    await server.until(() => server.tokens.length === 2, 'a second link');
    expect(server.tokens[1]).toBe('Bearer second');
  });

  it('keeps its token and confirms nothing if the new one cannot be stored', async () => {
    const { harness, server, start, credential } = await setUp();
    const runner = await start();
    await server.message('hello');
    // A folder that cannot be removed like a file is in the way.
    mkdirSync(join(harness.data, 'credential.json.new'));
    server.send({ type: 'new_token', id: ID, token: 'second' });
    await expect.poll(() => runner.stderr()).toContain('cannot be stored');
    expect(server.messages.map(({ type }) => type)).not.toContain('token_stored');
    expect(credential().token).toBe('first');
  });

  it('does not announce that it stores tokens if an administrator has stored its token', async () => {
    const { harness, server } = await setUp();
    await harness.startRunner();
    expect(await server.message('hello')).not.toHaveProperty('replaces_token');
  });
});

describe('the tokens of a registered runner', () => {
  it('are tried from the newest to the oldest while the server refuses them, and again from the newest', async () => {
    const data = mkdtempSync(join(tmpdir(), 'signalbox-tokens-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    writeFileSync(join(data, 'credential.json'), JSON.stringify({ server: 'https://a.example', token: 't0' }));
    const access = await findAccess({ server: undefined, tokenFile: undefined, data });
    for (let i = 1; i <= 9; i += 1) await access.replaceToken?.(`t${i}`);
    const tried: string[] = [];
    for (let i = 0; i < 9; i += 1) {
      tried.push(await access.token());
      access.refused(i + 1);
    }
    expect(tried).toEqual(['t9', 't8', 't7', 't6', 't5', 't4', 't3', 't2', 't9']);
    const storing = access.replaceToken?.('t10');
    expect(await access.token()).toBe('t10');
    await storing;
  });
});
