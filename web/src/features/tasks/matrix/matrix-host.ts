import { hostNames, type Run, type Step } from '../results/run-model.ts';

/** One host of the matrix, with a letter for each step of the run. */
export interface MatrixHost {
  /** Number of the host in the run, from 1; 0 for a host without a result. */
  readonly number: number;
  readonly host: string;
  /** One letter for each step, as the API answers them; a missing letter counts as `.`. */
  readonly cells: string;
  readonly changed: number;
  /** Whether it failed or was unreachable, and the playbook did not handle that. */
  readonly isBad: boolean;
  /** Milliseconds that its steps took. */
  readonly ms: number;
}

const LETTERS = { ok: 'o', changed: 'c', failed: 'f', ignored: 'i', skipped: 's', unreachable: 'u' } as const;

interface Growing {
  readonly number: number;
  readonly cells: string[];
  changed: number;
  isBad: boolean;
  ms: number;
  last: number;
}

/** Names of the hosts in the order of their first results, then those without any. */
const namesOf = (run: Run): string[] => [...new Set(run.steps.flatMap(({ hosts }) => hosts.map(({ host }) => host)))];

const takeStep = (hosts: ReadonlyMap<string, Growing>, step: Step, position: number, run: Run): void => {
  for (const { host, result, rescued, at } of step.hosts) {
    const one = hosts.get(host);
    if (!one) continue;
    const stats = run.recap?.hosts[host];
    const isHandled = rescued === true || (stats !== undefined && stats.failures + stats.unreachable === 0);
    one.cells[position] = isHandled && result === 'failed' ? 'r' : LETTERS[result];
    one.changed += result === 'changed' ? 1 : 0;
    one.isBad ||= (result === 'failed' || result === 'unreachable') && !isHandled;
    one.ms += Math.max(0, at - Math.max(step.at, one.last));
    one.last = at;
  }
};

/** The hosts of a run whose results are loaded. Hosts of the newest play that have not answered have the number 0. */
export const hostsOfRun = (run: Run): MatrixHost[] => {
  const hosts = new Map<string, Growing>();
  const add = (host: string, number: number): void => {
    if (!hosts.has(host)) hosts.set(host, { number, cells: [], changed: 0, isBad: false, ms: 0, last: 0 });
  };
  for (const [at, host] of namesOf(run).entries()) add(host, at + 1);
  for (const host of hostNames(run)) add(host, 0);
  for (const [position, step] of run.steps.entries()) takeStep(hosts, step, position, run);
  return [...hosts].map(([host, { number, cells, changed, isBad, ms }]) => ({
    ...{ number, host, changed: run.recap?.hosts[host]?.changed ?? changed, isBad, ms },
    cells: Array.from(cells, (letter: string | undefined) => letter ?? '.').join(''),
  }));
};
