import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { RunnerQuery } from '@signalbox/contract/link';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identityOf, RUN_MARKER, waitUntilEnded } from '../process/process-table.ts';
import { runProgram } from '../process/program.ts';
import { expectAtBest, timeOf } from '../testing/best-time.testing.ts';
import { openHarness } from '../testing/playbooks.testing.ts';
import { askRunner, isAnswered, queryWorkspacesOf, sendQuery } from '../testing/query.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';

/** Maximum time for the end of a lease, in milliseconds. */
const END_MS = 1_000;
/** Enough time for git to connect to a server that never answers. */
const LEASE_MS = 6_000;

let harness: RunnerHarness;
let silent: Server;

beforeEach(async () => {
  harness = await openHarness();
  silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterEach(async () => {
  silent.closeAllConnections();
  silent.close();
  await harness.close();
});

/** A query that is never answered, because its git server is silent. */
const endless = (): RunnerQuery => {
  const { port } = silent.address() as { port: number };
  const access = { type: 'login_password', login: 'ann', password: 'hidden-password' } as const;
  return { ask: 'branches', repository: { id: 1, url: `http://127.0.0.1:${port}/x.git`, branch: '', access } };
};

const secretFiles = (): string[] =>
  queryWorkspacesOf(harness).flatMap((name) => {
    const folder = join(harness.data, 'places', name);
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  });

/** Waits until no file of a query is on the disk. */
const untilRemoved = () => expect.poll(() => queryWorkspacesOf(harness), { interval: 5, timeout: 30_000 }).toEqual([]);

const start = async () => {
  const runner = await harness.startRunner();
  await harness.server.message('hello', (message) => message.pid === runner.pid);
  return runner;
};

const askEndless = async (lease_ms?: number): Promise<number> => {
  // git has sent its login, or requests it.
  const reached = once(silent, 'request');
  const id = sendQuery(harness, endless(), lease_ms);
  await reached;
  const files = secretFiles();
  expect(files.some((file) => readFileSync(file, 'utf8') === 'hidden-password')).toBe(true);
  for (const file of files) expect(statSync(file).mode & 0o077, file).toBe(0);
  for (const name of queryWorkspacesOf(harness)) {
    for (const folder of ['', 'secrets', 'secrets/git'])
      expect(statSync(join(harness.data, 'places', name, folder)).mode & 0o777, folder).toBe(0o700);
  }
  return id;
};

describe('[S10] the secrets of a query', () => {
  it('are removed within a second when the server ends the lease, and no answer is sent', async () => {
    await start();
    await expectAtBest(END_MS, async () => {
      const id = await askEndless();
      const took = await timeOf(() => {
        harness.server.send({ type: 'query_ended', query_id: id });
        return untilRemoved();
      });
      expect(
        await askRunner(harness, { ask: 'hosts', inventory: { type: 'static', inventory: 'a' }, repository: null }),
      ).toMatchObject({ hosts: ['a'] });
      expect(isAnswered(harness, id)).toBe(false);
      return took;
    });
  });

  it('are removed when the lease expires, without a message of the server', async () => {
    await start();
    await expectAtBest(LEASE_MS + END_MS, () =>
      timeOf(async () => {
        const id = await askEndless(LEASE_MS);
        await untilRemoved();
        expect(isAnswered(harness, id)).toBe(false);
      }),
    );
  });

  it('are removed within a second when the link is lost', async () => {
    await start();
    const hellos = () => harness.server.messages.filter(({ type }) => type === 'hello').length;
    await expectAtBest(END_MS, async () => {
      await askEndless();
      const before = hellos();
      const took = await timeOf(() => {
        harness.server.cut();
        return untilRemoved();
      });
      await harness.server.until(() => hellos() > before, 'the next link');
      return took;
    });
  });

  it('are removed before a stopping runner ends', async () => {
    const runner = await start();
    await askEndless();
    runner.kill('SIGTERM');
    expect(await runner.exited).toBe(0);
    expect(queryWorkspacesOf(harness)).toEqual([]);
  });

  it('are removed when a killed runner starts again', async () => {
    const runner = await start();
    await askEndless();
    runner.kill('SIGKILL');
    await runner.exited;
    expect(secretFiles().length).toBeGreaterThan(0);
    const keys = join(harness.data, 'query-7-keys');
    mkdirSync(keys);
    writeFileSync(join(keys, 'variables.json'), '{}');
    await start();
    expect(queryWorkspacesOf(harness)).toEqual([]);
    expect(existsSync(keys)).toBe(false);
  });
});

describe('[S10] the processes of a query', () => {
  const DAEMON = `#!/bin/sh
setsid sleep 300 > /dev/null 2>&1 < /dev/null &
echo $! > "$(dirname "$0")/pid"
echo '{"web": {"hosts": ["web1"]}}'
`;
  const daemon = () => {
    const pid = Number(readFileSync(join(harness.folder, 'pid'), 'utf8'));
    return identityOf(pid);
  };

  it('end with the query, also a daemon that an inventory script started', async () => {
    const script = join(harness.folder, 'inventory.sh');
    writeFileSync(script, DAEMON, { mode: 0o755 });
    await start();
    const inventory = { type: 'file', inventory: script } as const;
    expect(await askRunner(harness, { ask: 'hosts', inventory, repository: null })).toMatchObject({ hosts: ['web1'] });
    expect(existsSync(join(harness.folder, 'pid'))).toBe(true);
    expect(daemon()).toBeUndefined();
  });

  it('end when a runner starts after an update from a version with other names for queries', async () => {
    const folderId = createHash('sha256').update(harness.data).digest('hex').slice(0, 8);
    const env = { [RUN_MARKER]: `question-${folderId}-1` };
    const left = runProgram('/bin/sleep', ['300'], { env, timeoutMs: 60_000 });
    await start();
    expect(await left).toMatchObject({ code: null, error: null });
  });

  it('end when the runner is killed, at the latest when it starts again', async () => {
    const script = join(harness.folder, 'inventory.sh');
    writeFileSync(script, `${DAEMON}\nsleep 300\n`, { mode: 0o755 });
    const runner = await start();
    sendQuery(harness, { ask: 'hosts', inventory: { type: 'file', inventory: script }, repository: null });
    await expect
      .poll(() => existsSync(join(harness.folder, 'pid')) && daemon()?.pid, { timeout: 10_000 })
      .toBeGreaterThan(0);
    const left = daemon();
    if (!left) throw new Error('The daemon ended too early.');
    runner.kill('SIGKILL');
    await runner.exited;
    await start();
    expect(await waitUntilEnded(left, END_MS)).toBe(true);
  });
});
