import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../testing/test-clock.testing.ts';
import { forkSupervisor } from './forked-supervisor.ts';
import type { IdleSupervisor } from './idle-supervisor.ts';

const SILENCE_MS = 3_000;
const COLD: IdleSupervisor = {
  pid: 2,
  isRunning: () => true,
  start: () => undefined,
  release: () => undefined,
  signal: () => undefined,
  ended: Promise.resolve(false),
};

let folder: string;
let server: Server;
let clock: TestClock;
/** The connections to the server by the folder of their request. */
let requests: Map<string, Socket>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-fork-'));
  clock = new TestClock();
  requests = new Map();
  server = createServer((socket) => {
    socket.once('data', (text) => requests.set(JSON.parse(text.toString()).folder, socket));
  });
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve));
});
afterEach(() => {
  for (const socket of requests.values()) socket.destroy();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a supervisor that a warm process should fork', () => {
  const answers = { answers: 0 };
  let silences: number[];
  let cold: string[];
  beforeEach(() => {
    answers.answers = 0;
    silences = [];
    cold = [];
  });
  const fork = async (name: string) => {
    const supervisor = forkSupervisor({
      socket: join(folder, 'socket'),
      request: { folder: name, env: {} },
      progress: answers,
      clock,
      startCold: () => {
        cold.push(name);
        return COLD;
      },
      onSilence: (seconds) => silences.push(seconds),
    });
    await expect.poll(() => requests.has(name)).toBe(true);
    return supervisor;
  };
  const answer = async (name: string) => {
    const before = answers.answers;
    requests.get(name)?.write('1\n');
    await expect.poll(() => answers.answers).toBe(before + 1);
  };

  it('waits while other requests are answered, and is started cold after three seconds without an answer', async () => {
    await fork('waiting');
    for (const name of ['first', 'second', 'third']) {
      await fork(name);
      await answer(name);
      clock.advance(SILENCE_MS);
      expect(cold).toEqual([]);
    }
    clock.advance(SILENCE_MS - 1);
    expect(cold).toEqual([]);
    clock.advance(1);
    expect(cold).toEqual(['waiting']);
    expect(silences).toEqual([3]);
  });

  it('is not started cold once it was answered', async () => {
    const supervisor = await fork('only');
    await answer('only');
    clock.advance(10 * SILENCE_MS);
    expect(supervisor.pid).toBe(1);
    expect(cold).toEqual([]);
  });

  it('is not started at all if it was released before the answer', async () => {
    const supervisor = await fork('released');
    supervisor.release();
    expect(await supervisor.ended).toBe(false);
    expect(cold).toEqual([]);
  });
});
