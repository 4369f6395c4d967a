import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RunnerMessage } from '@signalbox/contract/link';
import { expect, it, onTestFinished } from 'vitest';
import { RunFolder } from '../runs/folder/run-folder.ts';
import { Delivery, NOTHING_STORED } from './delivery.ts';
import { Masker } from './masker.ts';
import { PollPace } from './poll-pace.ts';

const OUTPUT = 'one\ntwo\n';

/** The delivery of a run that has ended, with a server that can also acknowledge results. */
const open = (storesResults = false) => {
  const path = mkdtempSync(join(tmpdir(), 'signalbox-delivery-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const kept = new RunFolder(path, { root: join(path, 'places'), user: undefined, env: {} }, 1, 1);
  // In its own folder, so that only this file can be made unreadable.
  const folder = Object.create(kept, { times: { value: join(path, 'times', 'times.log') } }) as RunFolder;
  for (const one of [folder.path, dirname(folder.times)]) mkdirSync(one);
  writeFileSync(folder.output, OUTPUT);
  writeFileSync(folder.times, '4 1000\n8 2000\n');
  const received = { lines: [] as string[], times: [] as number[], errors: [] as string[] };
  const error = Promise.withResolvers<void>();
  const complete = Promise.withResolvers<number>();
  const result = Promise.withResolvers<void>();
  let records = 0;
  const send = (message: RunnerMessage) => {
    if (message.type === 'results') {
      records += message.records.length;
      result.resolve();
      const next = message.first + message.records.length;
      if (storesResults) setImmediate(() => delivery.recordsStored(next));
    }
    if (message.type !== 'output') return;
    received.lines.push(...message.lines);
    received.times.push(...message.times);
    const { first, lines } = message;
    setImmediate(() => delivery.linesStored(first + lines.length));
  };
  const delivery = new Delivery({
    folder,
    masker: new Masker([]),
    eventsLimit: 1_000_000,
    pace: new PollPace(),
    send,
    onComplete: complete.resolve,
    onError: (reason) => {
      received.errors.push(String(reason));
      error.resolve();
    },
  });
  onTestFinished(() => delivery.close());
  const results = { first: result.promise, count: () => records };
  return { folder, delivery, received, results, error: error.promise, complete: complete.promise };
};

it('sends only as many results as fit into the window, however short each is', async () => {
  const { folder, delivery, results } = open();
  mkdirSync(folder.workspace.path, { recursive: true });
  const nothing = JSON.stringify({ kind: 'stats', at: 0, mark: -1, hosts: {} });
  writeFileSync(folder.workspace.events, `${nothing}\n`.repeat(100_000));
  await delivery.resume(NOTHING_STORED);
  delivery.finish(OUTPUT.length);
  await results.first;
  // Nothing was acknowledged, so the results that were sent are the maximum that is ever read.
  await delivery.close();
  expect(results.count()).toBeLessThan(20_000);
});

it('skips results far after the limit of the callback plugin', async () => {
  const { folder, delivery, results, complete } = open(true);
  mkdirSync(folder.workspace.path, { recursive: true });
  const nothing = `${JSON.stringify({ kind: 'stats', at: 0, mark: -1, hosts: {} })}\n`;
  const padding = `${'x'.repeat(1024 * 1024 - 1)}\n`;
  // The plugin may write up to twice its limit of 1 MB, and the reader accepts 32 MB more for the final counts.
  writeFileSync(folder.workspace.events, nothing + padding.repeat(33) + nothing + padding.repeat(2) + nothing);
  await delivery.resume(NOTHING_STORED);
  delivery.finish(OUTPUT.length);
  expect(await complete).toBe(2);
  expect(results.count()).toBe(2);
});

/** Makes a folder unreadable with an error other than "does not exist", until it is restored. */
const hide = (path: string): (() => void) => {
  renameSync(path, `${path}.hidden`);
  writeFileSync(path, '');
  // One rename, so that the path always exists.
  return () => {
    symlinkSync(`${path}.hidden`, `${path}.shown`);
    renameSync(`${path}.shown`, path);
  };
};

it.each([
  ['a log that cannot be opened at the end of a run', (folder: RunFolder) => folder.path],
  ['lines whose times are temporarily unreadable', (folder: RunFolder) => dirname(folder.times)],
])('%s are sent completely and once as soon as they can be read', async (_, hidden) => {
  const { folder, delivery, received, error, complete } = open();
  const restore = hide(hidden(folder));
  await delivery.resume(NOTHING_STORED);
  delivery.finish(OUTPUT.length);
  await error;
  restore();
  expect(await complete).toBe(2);
  expect(received.lines).toEqual(['one', 'two']);
  expect(received.times).toEqual([1000, 2000]);
  expect(received.errors).toHaveLength(1);
});
