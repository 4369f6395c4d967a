import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { HostTimes, RunTimes, StepTimes } from './run-times.ts';

const deflate = promisify<Buffer, Buffer>(deflateRaw);
const inflate = promisify<Buffer, Buffer>(inflateRaw);

type StoredStep = readonly [
  key: string,
  step: number,
  path: string,
  at: number,
  ms: number,
  hosts: number,
  p50: number,
  p95: number,
  slowest: StepTimes['slowest'],
];

interface Stored {
  readonly started: number | null;
  readonly hosts: number;
  readonly steps: readonly StoredStep[];
  readonly slowest: readonly (readonly [host: string, ms: number, waitedFor: number])[];
}

/** The times of a run. The number of its changes is stored next to them. */
type TimedRun = Omit<RunTimes, 'changed'>;

/** Encodes the times of a run: JSON, compressed, in Base64. */
export const encodeTimes = async ({ started, hosts, steps, slowest }: TimedRun): Promise<string> => {
  const stored: Stored = {
    ...{ started, hosts },
    steps: steps.map((step) => {
      const { key, path, at, ms, p50, p95 } = step;
      return [key, step.step, path, at, ms, step.hosts, p50, p95, step.slowest];
    }),
    slowest: slowest.map(({ host, ms, waitedFor }) => [host, ms, waitedFor]),
  };
  return (await deflate(Buffer.from(JSON.stringify(stored)))).toString('base64');
};

export const decodeTimes = async (text: string): Promise<TimedRun> => {
  const stored = JSON.parse((await inflate(Buffer.from(text, 'base64'))).toString('utf8')) as Stored;
  return {
    ...{ started: stored.started, hosts: stored.hosts },
    steps: stored.steps.map(([key, step, path, at, ms, hosts, p50, p95, slowest]): StepTimes => {
      const [play = '', name = ''] = key.split('\n');
      return { key, step, play, name, path, at, ms, hosts, p50, p95, slowest };
    }),
    slowest: stored.slowest.map(([host, ms, waitedFor]): HostTimes => ({ host, ms, waitedFor })),
  };
};
