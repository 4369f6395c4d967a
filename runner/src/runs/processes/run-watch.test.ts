import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { RunWatch } from './run-watch.ts';

it('the watch of a run checks once for many events of growing files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-run-watch-'));
  const [output, times, exit] = ['output.log', 'times.log', 'exit'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const file of [output, times]) writeFileSync(file, '');
  const ended = Promise.withResolvers<number>();
  const grown = Promise.withResolvers<void>();
  let checks = 0;
  const watch = new RunWatch(folder, () => {
    checks += 1;
    if (existsSync(exit)) ended.resolve(checks);
    grown.resolve();
  });
  onTestFinished(() => {
    watch.close();
    rmSync(folder, { recursive: true });
  });
  appendFileSync(output, 'a line\n');
  await grown.promise;
  // The kernel reports each of them, because they are in turn of two files.
  for (let line = 0; line < 1_000; line += 1) for (const file of [times, output]) appendFileSync(file, 'a line\n');
  writeFileSync(exit, '');
  expect(await ended.promise).toBeLessThan(10);
});
