import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { floodRepository } from '../line-plugin.ts';
import { textOf, writeLines } from '../long-lines.ts';
import type { Measure } from '../measure.ts';
import { type MeasuredProduct, withProduct } from '../measured-product.ts';
import { forgetPeak, peakMb } from '../process-memory.ts';
import { median, shown } from '../statistics.ts';

const LINES = 1_000_000;
const RUNS = 3;
const AIM_LINES_A_SECOND = 50_000;
const LIMIT_MS = 300_000;

/** Copies the file with `cat` and syncs the copy. @returns the duration in milliseconds */
const runCat = async (file: string, copy: string): Promise<number> => {
  const target = openSync(copy, 'w');
  const since = performance.now();
  await once(spawn('cat', [file], { stdio: ['ignore', target, 'inherit'] }), 'exit');
  fsyncSync(target);
  const took = performance.now() - since;
  closeSync(target);
  return took;
};

/** @throws when a line is missing, repeated, changed or out of order */
const checkLog = (log: readonly string[]): number => {
  const first = log.findIndex((line) => line.startsWith('FLOOD '));
  const firstWritten = log[first]?.split(' ')[1];
  if (firstWritten === undefined) throw new Error('The log does not contain the beginning of the flood.');
  for (let number = 0; number < LINES; number += 1) {
    if (log[first + 1 + number] !== textOf(number)) {
      throw new Error(`Line ${number} of the flood is at the wrong position: ${log[first + 1 + number]}`);
    }
  }
  return Number(firstWritten) / 1e6;
};

/**
 * Milliseconds from the first byte of the flood to the final status. It is sent after all lines are stored and the log
 * is closed.
 */
const runFlood = async ({ project, feed }: MeasuredProduct, template: number, onEnd: () => void): Promise<number> => {
  const { id } = await project.run(template);
  const { at } = await feed.success(id, LIMIT_MS);
  const ended = Date.now() - (performance.now() - at);
  onEnd();
  return ended - checkLog(await project.log(id));
};

export const flood: Measure = {
  name: 'flood',
  title: 'A flood of output',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    const file = join(folder, 'lines');
    await writeLines(file, LINES);
    const bytes = statSync(file).size;
    const [bare, ours]: [number[], number[]] = [[], []];
    const peaks = await withProduct(floodRepository(file), async (measured) => {
      const template = await measured.project.template('noisy.yml');
      const pids = [measured.product.serverPid, measured.product.runnerPid ?? 0] as const;
      const most = [0, 0];
      for (let run = 0; run < RUNS; run += 1) {
        bare.push(await runCat(file, join(folder, 'copy')));
        for (const pid of pids) forgetPeak(pid);
        const notePeaks = () => {
          for (const [index, pid] of pids.entries()) most[index] = Math.max(most[index] ?? 0, peakMb(pid));
        };
        ours.push(await runFlood(measured, template, notePeaks));
      }
      return most;
    });
    rmSync(folder, { recursive: true, force: true });
    const [stored, copied] = [(LINES / median(ours)) * 1000, (LINES / median(bare)) * 1000];
    return {
      rows: [
        {
          what: `Lines/s stored of ${shown(LINES)} lines (median)`,
          result: `${shown(stored)} lines/s`,
          baseline: `cat into a file, with fsync, ${shown(copied)} lines/s`,
          ratio: shown(stored / copied, 4),
          aim: `> ${shown(AIM_LINES_A_SECOND)} lines/s`,
          isMet: stored > AIM_LINES_A_SECOND,
        },
        {
          what: 'Peak memory meanwhile, server / runner',
          result: `${shown(peaks[0] ?? 0)} / ${shown(peaks[1] ?? 0)} MB`,
          baseline: '–',
          ratio: '–',
          aim: '–',
          isMet: undefined,
        },
      ],
      how: `A callback plugin of the repository writes a prepared file of ${shown(bytes / 1e6)} MB to its standard output, ${RUNS} times. The time is from its first byte to the final status at the live socket. By then, each line was read by the supervisor, masked and numbered by the runner, and stored, synced and acknowledged by the server, and the log was closed. Then the whole log is read and compared line by line: all ${shown(LINES)} lines, in order.`,
    };
  },
};
