import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LineTimes } from './line-times.ts';

it('[R16] never returns an earlier time than for the previous line, also after the clock was set back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-times-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'times.log');
  const noon = Date.parse('2026-11-21T12:00:00Z');
  writeFileSync(path, `10 ${noon}\n20 ${noon - 7_200_000}\n30 ${noon - 7_199_000}\n40 ${noon + 5}\n`);
  const times = new LineTimes(path);
  await times.readUntil(40);
  expect([10, 20, 30, 40].map((offset) => times.timeAt(offset))).toEqual([noon, noon, noon, noon + 5]);
  await times.close();
});
