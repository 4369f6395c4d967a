import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import autocannon, { type Report } from 'autocannon';
import { type House, withHouse } from '../house.ts';
import type { Measure, Row } from '../measure.ts';
import { median, shown } from '../statistics.ts';

const TASKS = 50;
const TEMPLATES = 10;
const ROUNDS = 3;
const SECONDS = 4;
const BARE_SERVER = join(import.meta.dirname, '..', 'bare-server.ts');

const attack = async (url: string, cookie: string): Promise<Report> => {
  const report = await autocannon({ url, connections: 10, duration: SECONDS, headers: { cookie } });
  if (report.non2xx + report.errors > 0) throw new Error(`${url} refused ${report.non2xx + report.errors} requests.`);
  return report;
};

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

/** Stores tasks quickly: they end while they are prepared, because their playbook is missing. */
const storeTasks = async ({ project, feed }: House): Promise<void> => {
  const templates: number[] = [];
  for (let number = 0; number < TEMPLATES; number += 1) templates.push(await project.template('missing.yml'));
  for (let number = 0; number < TASKS; number += 1) {
    const { id } = await project.run(templates[number % TEMPLATES] ?? 0, { message: `Task number ${number}` });
    await feed.end(id);
  }
};

const compare = async (house: House, what: string, path: string): Promise<Row> => {
  const { address, cookie } = house.client;
  const url = `${address}/api/project/${house.project.params.project_id}${path}`;
  const body = await (await fetch(url, { headers: { cookie } })).text();
  const [ours, bare]: [Report[], Report[]] = [[], []];
  await withBareServer(body, async (bareUrl) => {
    await attack(url, cookie);
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await attack(url, cookie));
      bare.push(await attack(bareUrl, cookie));
    }
  });
  const of = (reports: Report[], pick: (report: Report) => number) => median(reports.map(pick));
  const [fast, baseline] = [of(ours, (r) => r.requests.average), of(bare, (r) => r.requests.average)];
  const latency = (reports: Report[]) =>
    `p50 ${shown(of(reports, (r) => r.latency.p50))} ms, p99 ${shown(of(reports, (r) => r.latency.p99))} ms`;
  return {
    what: `Requests/s of the ${what}, ${shown(body.length / 1000, 1)} kB (median)`,
    result: `${shown(fast)}/s, ${latency(ours)}`,
    baseline: `bare node:http, ${shown(baseline)}/s, ${latency(bare)}`,
    ratio: shown(fast / baseline, 3),
    aim: '–',
    isMet: undefined,
  };
};

export const requests: Measure = {
  name: 'requests',
  title: 'Requests a second',
  run: () =>
    withHouse({ 'readme.md': 'No playbook at all.\n' }, async (house) => {
      await storeTasks(house);
      return {
        rows: [
          await compare(house, 'task list (50 tasks)', '/tasks/last?limit=50'),
          await compare(house, `template list (${TEMPLATES} templates)`, '/templates'),
        ],
        how: `autocannon, 10 connections, ${ROUNDS} times ${SECONDS} s each in turn, after one that does not count. Ours reads the session, the right and the rows from the database at every request and serialises them through the contract's schema; the bare server has the same bytes ready in memory and does nothing else. The client shares the machine's cores with both.`,
      };
    }),
};
