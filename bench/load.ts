import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import autocannon, { type Report } from 'autocannon';
import type { Row } from './measure.ts';
import { median, shown } from './statistics.ts';

const BARE_SERVER = join(import.meta.dirname, 'bare-server.ts');

/** The medians of several rounds of requests. */
interface Speed {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
}

interface Target {
  readonly url: string;
  readonly cookie: string;
}

interface Rounds {
  readonly rounds: number;
  /** Values of each round. */
  readonly seconds: number;
}

/** Results of calls, and of a bare server that answers the same bytes as the last call. */
export interface Comparison {
  readonly ours: readonly Speed[];
  readonly bare: Speed;
  /** Size of the answer of each call, in bytes. */
  readonly bytes: readonly number[];
  /** Requests of the last call divided by those of the first call in the same round: the median. */
  readonly lastOfFirst: number;
}

const attack = async ({ url, cookie }: Target, duration: number): Promise<Report> => {
  const report = await autocannon({ url, connections: 10, duration, headers: { cookie } });
  if (report.non2xx + report.errors > 0) throw new Error(`${url} refused ${report.non2xx + report.errors} requests.`);
  return report;
};

const speedOf = (reports: readonly Report[]): Speed => ({
  requests: median(reports.map((report) => report.requests.average)),
  p50: median(reports.map((report) => report.latency.p50)),
  p99: median(reports.map((report) => report.latency.p99)),
});

/** Calls `work` while a bare server answers these bytes. */
const withBareServer = async <T>(body: string, work: (url: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  writeFileSync(join(folder, 'body'), body);
  const server = spawn(process.execPath, [BARE_SERVER, join(folder, 'body')], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [url] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    return await work(url);
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Measures calls and a bare server in turn, after one round of each to warm up. */
export const compareWithBare = async (targets: readonly Target[], { rounds, seconds }: Rounds): Promise<Comparison> => {
  const bodies: string[] = [];
  for (const { url, cookie } of targets) bodies.push(await (await fetch(url, { headers: { cookie } })).text());
  const ours: Report[][] = targets.map(() => []);
  const bare: Report[] = [];
  await withBareServer(bodies.at(-1) ?? '', async (url) => {
    for (const target of targets) await attack(target, seconds);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, target] of targets.entries()) ours[index]?.push(await attack(target, seconds));
      bare.push(await attack({ url, cookie: '' }, seconds));
    }
  });
  const shares = (ours.at(-1) ?? []).map(
    (last, round) => last.requests.average / (ours[0]?.[round]?.requests.average ?? Number.NaN),
  );
  return {
    ours: ours.map(speedOf),
    bare: speedOf(bare),
    bytes: bodies.map((body) => Buffer.byteLength(body)),
    lastOfFirst: median(shares),
  };
};

const shownSpeed = ({ requests, p50, p99 }: Speed): string =>
  `${shown(requests)}/s, p50 ${shown(p50)} ms, p99 ${shown(p99)} ms`;

/** Formats one call and the bare server as a row of the table. */
export const rowOf = (what: string, { ours, bare, bytes }: Comparison, index = 0): Row => {
  const speed = ours[index] ?? { requests: Number.NaN, p50: Number.NaN, p99: Number.NaN };
  return {
    what: `${what}, ${shown((bytes[index] ?? 0) / 1000, 1)} kB`,
    result: shownSpeed(speed),
    baseline: `bare node:http, ${shownSpeed(bare)}`,
    ratio: shown(speed.requests / bare.requests, 3),
    aim: '–',
    isMet: undefined,
  };
};
