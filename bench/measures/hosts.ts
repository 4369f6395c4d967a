import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRepository } from '../../tooling/product/playbook-project.ts';
import { storedBytes } from '../../tooling/product/stored-logs.ts';
import { playBare } from '../bare-playbook.ts';
import type { Measure, Row } from '../measure.ts';
import { type MeasuredProduct, withProduct } from '../measured-product.ts';
import { forgetPeak, peakMb } from '../process-memory.ts';
import { shown } from '../statistics.ts';
import { descendantsOf, sharedMb } from '../tree-memory.ts';

const RUNS = [
  { hosts: 400, forks: 5 },
  { hosts: 400, forks: 50 },
  { hosts: 4000, forks: 50 },
] as const;
const STEPS = 3;
const SAMPLE_MS = 500;
const LIMIT_MS = 1_800_000;

/** Messages only: what a module needs on its host is the same without Signalbox. */
const PLAYBOOK = `- name: Many hosts
  hosts: all
  gather_facts: false
  tasks:
${Array.from({ length: STEPS }, (_, step) => `    - name: Step ${step}\n      ansible.builtin.debug:\n        msg: "{{ inventory_hostname }}"\n`).join('')}`;
const FILES = { 'hosts.yml': PLAYBOOK };

const inventoryOf = (hosts: number): string =>
  `[many]\nhost-[0001:${String(hosts).padStart(4, '0')}] ansible_connection=local\n`;

interface Run {
  readonly hosts: number;
  readonly forks: number;
  readonly ms: number;
  readonly bareMs: number;
  /** Maximum memory of the processes of the run. */
  readonly runMb: number;
  readonly serverMb: number;
  readonly runnerMb: number;
  readonly bytesPerResult: number;
}

const measureRun = async (
  { product, project, feed }: MeasuredProduct,
  { hosts, forks }: (typeof RUNS)[number],
  repository: string,
): Promise<Run> => {
  const runner = product.runnerPid ?? 0;
  const args = [`--forks=${forks}`];
  const inventory = await project.inventory(inventoryOf(hosts), `${hosts} hosts, ${forks} forks`);
  const template = await project.template('hosts.yml', { inventory_id: inventory, arguments: JSON.stringify(args) });
  for (const pid of [product.serverPid, runner]) forgetPeak(pid);
  let runMb = 0;
  const sampler = setInterval(() => {
    runMb = Math.max(runMb, sharedMb(descendantsOf(runner)));
  }, SAMPLE_MS);
  const since = performance.now();
  const { id } = await project.run(template);
  const ended = await feed.success(id, LIMIT_MS).finally(() => clearInterval(sampler));
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  writeFileSync(join(folder, 'inventory'), inventoryOf(hosts));
  const bareMs = await playBare(repository, [`--inventory=${join(folder, 'inventory')}`, ...args, 'hosts.yml']);
  rmSync(folder, { recursive: true, force: true });
  const stored = storedBytes(product, id)
    .values()
    .reduce((sum, bytes) => sum + bytes, 0);
  return {
    ...{ hosts, forks, runMb, bareMs },
    ms: ended.at - since,
    serverMb: peakMb(product.serverPid),
    runnerMb: peakMb(runner),
    bytesPerResult: stored / (hosts * STEPS),
  };
};

const rowsOf = ({ hosts, forks, ...run }: Run): Row[] => {
  const name = `${shown(hosts)} hosts × ${STEPS} steps, ${forks} forks`;
  const row = (what: string, result: string, baseline = '–', ratio = '–'): Row => ({
    ...{ what: `${name}: ${what}`, result, baseline, ratio },
    aim: '–',
    isMet: undefined,
  });
  const seconds = (ms: number) => `${shown(ms / 1000, 1)} s`;
  return [
    row('whole run', seconds(run.ms), `bare ansible-playbook, ${seconds(run.bareMs)}`, shown(run.ms / run.bareMs, 3)),
    row('peak memory of its processes', `${shown(run.runMb)} MB`),
    row('peak memory meanwhile, server / runner', `${shown(run.serverMb)} / ${shown(run.runnerMb)} MB`),
    row('stored for each result, with its lines', `${shown(run.bytesPerResult, 1)} bytes`),
  ];
};

export const manyHosts: Measure = {
  name: 'hosts',
  title: 'Runs of many hosts',
  run: async () => {
    const repository = makeRepository(FILES);
    try {
      return await withProduct(FILES, async (measured) => {
        const rows: Row[] = [];
        for (const run of RUNS) rows.push(...rowsOf(await measureRun(measured, run, repository)));
        return {
          rows,
          how: `Real Ansible with results per host; each step prints one message, so that the machine has to run no modules. Memory of the run: ansible-playbook with its forks and its supervisor, every ${SAMPLE_MS} ms; what processes share counts once. A module that runs over SSH adds an ssh process to each fork.`,
        };
      });
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  },
};
