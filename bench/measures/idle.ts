import { setTimeout as delay } from 'node:timers/promises';
import { Product, until } from '../../tooling/product/product.ts';
import type { Measure } from '../measure.ts';
import { residentMb } from '../process-memory.ts';
import { median, shown } from '../statistics.ts';

const STARTS = 3;
const IDLE_MS = 10_000;
const AIMS = { serverMb: 150, runnerMb: 80, readyMs: 2000 };

export const idle: Measure = {
  name: 'idle',
  title: 'Start and idle memory',
  run: async () => {
    const ready: number[] = [];
    const product = await Product.start();
    try {
      await product.runnerReady(await product.client());
      for (let start = 0; start < STARTS; start += 1) {
        await product.stopServer();
        await until('the runner being gone', () => (product.runnerPid === undefined ? true : undefined));
        const since = performance.now();
        await product.startServer();
        ready.push(performance.now() - since);
      }
      // No request is sent before, because it would leave data in the memory of the server.
      const runner = await until('a local runner', () => product.runnerPid);
      await delay(IDLE_MS);
      const [serverMb, runnerMb, readyMs] = [residentMb(product.serverPid), residentMb(runner), median(ready)];
      const row = (what: string, value: number, unit: string, aim: number) => ({
        what,
        result: `${shown(value)} ${unit}`,
        baseline: '–',
        ratio: '–',
        aim: `< ${shown(aim)} ${unit}`,
        isMet: value < aim,
      });
      return {
        rows: [
          row('Memory of the idle server, 10 s after start', serverMb, 'MB', AIMS.serverMb),
          row('Memory of the idle runner, 10 s after start', runnerMb, 'MB', AIMS.runnerMb),
          row('Start to ready, second start (median)', readyMs, 'ms', AIMS.readyMs),
        ],
        how: `Resident memory (VmRSS) of the two processes ${IDLE_MS / 1000} s after a start with an existing data folder and a warm compile cache. *Ready* is the time from the start of the process to the line that reports that it is ready (from ${shown(Math.min(...ready))} to ${shown(Math.max(...ready))} ms in ${STARTS} starts).`,
      };
    } finally {
      await product.dispose();
    }
  },
};
