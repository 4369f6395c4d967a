import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunnerMessage } from '@signalbox/contract/link';
import { expect, it, onTestFinished } from 'vitest';
import { RunFolder } from '../runs/run-folder.ts';
import { Delivery } from './delivery.ts';
import { Masker } from './masker.ts';
import { BEGINNING } from './read-position.ts';
import { sealOutput } from './seal.ts';

const LINES = Array.from({ length: 20 }, (_, n) => `number ${n}`);

it('[R6] a log that is sealed as the link comes back is delivered whole all the same', async () => {
  const data = mkdtempSync(join(tmpdir(), 'signalbox-delivery-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const places = { root: join(data, 'places'), user: undefined, env: {} };
  const folder = new RunFolder(join(data, 'runs'), places, 1, 1);
  mkdirSync(folder.path, { recursive: true });
  const text = `${LINES.join('\n')}\n`;
  writeFileSync(folder.output, text);
  writeFileSync(folder.times, `${text.length} 1000\n`);
  const masker = new Masker([]);
  const { promise: complete, resolve } = Promise.withResolvers<number>();
  const sent: string[] = [];
  const send = (message: RunnerMessage): void => {
    if (message.type !== 'output') return;
    sent.push(...message.lines);
    queueMicrotask(() => delivery.linesStored(message.first + message.lines.length));
  };
  const onFault = (fault: unknown): never => {
    throw fault;
  };
  const delivery = new Delivery({ folder, masker, send, onComplete: resolve, onFault });
  delivery.finish(text.length);
  await sealOutput(folder, masker, text.length, BEGINNING);
  await delivery.resume({ next_line: 1, offset: 0, next_result: 1 });
  // Before the first look: what was to be read is gone.
  writeFileSync(folder.file('sealed'), JSON.stringify(BEGINNING));
  for (const raw of [folder.output, folder.times]) rmSync(raw);
  expect(await complete).toBe(LINES.length);
  expect(sent).toEqual(LINES);
  await delivery.close();
});
