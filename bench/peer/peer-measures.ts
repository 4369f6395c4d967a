import autocannon from 'autocannon';
import { median, percentile, shown } from '../statistics.ts';
import type { PeerClient } from './peer-client.ts';
import { FLOOD_LINES, type PeerProject, STEADY } from './peer-project.ts';

export interface Peer {
  readonly client: PeerClient;
  readonly project: PeerProject;
}

/** A name, and what it measured as text. */
export type PeerRow = readonly [what: string, result: string];

const RUNS = 10;
const AT_ONCE = 50;
const LIST_SECONDS = 5;
const CONNECTIONS = 10;

type Template = keyof PeerProject['templates'];

const start = ({ client, project }: Peer, template: Template): Promise<number> =>
  client.create(`project/${project.id}/tasks`, { template_id: project.templates[template], project_id: project.id });

const run = async (peer: Peer, template: Template): Promise<number> => {
  const task = await start(peer, template);
  await peer.client.success(peer.project.id, task);
  return task;
};

const times = async (count: number, work: () => Promise<number>): Promise<number[]> => {
  // One before them, which clones the repository.
  await work();
  const found: number[] = [];
  for (let at = 0; at < count; at += 1) found.push(await work());
  return found;
};

const spread = (found: readonly number[]): string =>
  `${shown(percentile(found, 0.5))} / ${shown(percentile(found, 0.95))} ms`;

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const since = performance.now();
  await work();
  return performance.now() - since;
};

/** From the call to the start of the process, which the process itself reports. */
const startTime = async (peer: Peer): Promise<PeerRow[]> => {
  const found = await times(RUNS, async () => {
    const since = Date.now();
    const log = await peer.client.log(peer.project.id, await run(peer, 'started'));
    const line = log.map((text) => /STARTED (\d+)/.exec(text)?.[1]).find((ms) => ms !== undefined);
    if (line === undefined) throw new Error('The log does not contain when ansible-playbook was started.');
    return Number(line) - since;
  });
  return [['POST of a task to the start of ansible-playbook (p50 / p95)', spread(found)]];
};

const wholeTime = async (peer: Peer): Promise<PeerRow[]> => {
  const found = await times(RUNS, () => took(() => run(peer, 'hello')));
  return [['A playbook of one message, POST to the final status (p50 / p95)', spread(found)]];
};

const fifty = async (peer: Peer): Promise<PeerRow[]> => {
  const found = await took(() => Promise.all(Array.from({ length: AT_ONCE }, () => run(peer, 'hello'))));
  return [[`${AT_ONCE} of them at once, first POST to the last final status`, `${shown(found)} ms`]];
};

const flood = async (peer: Peer): Promise<PeerRow[]> => {
  const before = peer.client.lost;
  const task = await start(peer, 'flood');
  let arrived = 0;
  peer.client.onLine(task, (text) => {
    if (text.includes('(item=')) arrived += 1;
  });
  const ms = await took(() => peer.client.success(peer.project.id, task));
  const stored = (await peer.client.log(peer.project.id, task)).filter((text) => text.includes('(item=')).length;
  const share = (count: number) => `${shown((count / FLOOD_LINES) * 100, 1)} %`;
  return [
    [`A run that writes ${shown(FLOOD_LINES)} lines, POST to the final status`, `${shown(ms)} ms`],
    ['Its lines in the stored log at the end, and at the live socket', `${share(stored)}, ${share(arrived)}`],
    ['How often the live socket was lost meanwhile', shown(peer.client.lost - before)],
  ];
};

const latency = async (peer: Peer): Promise<PeerRow[]> => {
  const task = await start(peer, 'steady');
  const delays: number[] = [];
  peer.client.onLine(task, (text, at) => {
    const written = /LINE \d+ (\d+)/.exec(text)?.[1];
    if (written !== undefined) delays.push(at - Number(written) / 1e6);
  });
  await peer.client.success(peer.project.id, task);
  const share = shown((delays.length / (STEADY.linesPerSecond * STEADY.seconds)) * 100, 1);
  const what = `Latency of the log at ${STEADY.linesPerSecond} lines/s, write to live socket (p50 / p95), and the lines that arrived`;
  return [[what, `${spread(delays)}, ${share} %`]];
};

const lists = async ({ client, project }: Peer): Promise<PeerRow[]> => {
  const rows: PeerRow[] = [];
  for (const list of ['tasks/last', 'templates']) {
    const url = `${client.address}/api/project/${project.id}/${list}`;
    const rounds: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const report = await autocannon({
        ...{ url, connections: CONNECTIONS, duration: LIST_SECONDS },
        headers: { cookie: client.cookie },
      });
      if (report.non2xx + report.errors > 0)
        throw new Error(`${url} refused ${report.non2xx + report.errors} requests.`);
      rounds.push(report.requests.average);
    }
    rows.push([`GET ${list}, ${CONNECTIONS} connections (median of 3)`, `${shown(median(rounds))} requests/s`]);
  }
  return rows;
};

/** What is measured, in this order. */
export const PEER_MEASURES = { start: startTime, whole: wholeTime, fifty, flood, latency, lists } as const;
