import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import autocannon, { type Report } from 'autocannon';
import { median, shown } from './statistics.ts';

const BARE_SERVER = join(import.meta.dirname, 'bare-server.ts');

/** Medians over the rounds of one attack. */
export interface Speed {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
}

interface Target {
  readonly url: string;
  readonly cookie: string;
}

export interface Rounds {
  readonly rounds: number;
  /** Of each round. */
  readonly seconds: number;
}

/** Ours beside a bare server that answers the same bytes. */
export interface Comparison {
  readonly ours: Speed;
  readonly bare: Speed;
  /** Of the answer. */
  readonly bytes: number;
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

/** Does something while a bare server answers these bytes. */
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

/** Attacks a call and a bare server in turn, after one attack that does not count. */
export const compareWithBare = async (target: Target, { rounds, seconds }: Rounds): Promise<Comparison> => {
  const body = await (await fetch(target.url, { headers: { cookie: target.cookie } })).text();
  const [ours, bare]: [Report[], Report[]] = [[], []];
  await withBareServer(body, async (url) => {
    await attack(target, seconds);
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await attack(target, seconds));
      bare.push(await attack({ ...target, url }, seconds));
    }
  });
  return { ours: speedOf(ours), bare: speedOf(bare), bytes: Buffer.byteLength(body) };
};

/** A speed as the table has it. */
export const shownSpeed = ({ requests, p50, p99 }: Speed): string =>
  `${shown(requests)}/s, p50 ${shown(p50)} ms, p99 ${shown(p99)} ms`;
