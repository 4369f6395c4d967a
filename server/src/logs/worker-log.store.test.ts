import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { openState } from '../composition/storage.ts';
import { readConfig } from '../config.ts';
import { sqliteCapabilities } from '../database/dialects/sqlite/sqlite-capabilities.ts';
import type { Line } from './block-codec.ts';
import { startLogWorker, workerLogStore } from './worker-log.store.ts';

const START = Date.parse('2026-11-21T10:00:00.000Z');
/** Longer than the pause between two threads. */
const POLL = { timeout: 20_000 };

const range = (first: number, count: number): Line[] =>
  Array.from({ length: count }, (_, index) => [START + first + index, `line ${first + index}`]);
const batch = (first: number, count: number) => ({
  taskId: 1,
  epoch: 1,
  first,
  lines: range(first, count),
  offset: first,
});

/** A store whose threads can be killed. The first `stillborn` threads fail at once. */
const openStore = async (stillborn = 0) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = await openState(readConfig({ SIGNALBOX_DATA: folder }), () => undefined);
  await database.close();
  const workers: { readonly worker: Worker; readonly at: number }[] = [];
  const lost: string[] = [];
  const store = workerLogStore(
    { folder },
    ({ message }) => void lost.push(message),
    () => {
      const isStillborn = workers.length < stillborn;
      const worker = isStillborn
        ? new Worker('throw new Error("no space")', { eval: true })
        : startLogWorker({ folder });
      workers.push({ worker, at: performance.now() });
      return worker;
    },
  );
  onTestFinished(() => store.close());
  return { store, workers, lost, kill: () => workers.at(-1)?.worker.terminate() };
};

it('[R6] a new thread continues after one has died, with everything that was acknowledged', async () => {
  const { store, kill, lost } = await openStore();
  await store.appendOutput(batch(1, 10));
  let stored = 10;
  for (let times = 1; times <= 2; times++) {
    const underWay = [store.appendOutput(batch(stored + 1, 1000)), store.appendOutput(batch(stored + 1001, 1000))];
    await kill();
    // Every write gets an answer. A writer without an acknowledgement writes again.
    await Promise.allSettled(underWay);
    const append = async () => (await store.appendOutput(batch(stored + 1, 2000))).head.next_line - 1;
    await expect.poll(append, POLL).toBe(stored + 2000);
    stored += 2000;
    expect(lost).toHaveLength(times);
  }
  expect(await store.lines(1, 1, 5000)).toEqual(range(1, stored));
});

it('a failing thread is reported, and restarts only after a pause', async () => {
  const { store, workers, lost } = await openStore(2);
  expect(await store.head(1).catch(sqliteCapabilities.isUnavailable)).toBe(true);
  await expect.poll(() => store.head(1), { ...POLL, interval: 1 }).toMatchObject({ next_line: 1 });
  expect(lost).toEqual(['no space', 'no space']);
  const [first, second, third] = workers.map(({ at }) => at) as [number, number, number];
  expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(900);
});

it('a closed store starts no thread, and can be closed after its thread has died', async () => {
  const { store, workers, kill } = await openStore();
  await store.head(1);
  await kill();
  await store.close();
  await expect(store.head(1)).rejects.toThrow();
  expect(workers).toHaveLength(1);
});
