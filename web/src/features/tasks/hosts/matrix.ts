import type { HostResult } from '@signalbox/contract';
import { type HostOutcome, isBad, type Run, type Step, wasRescued } from '../results/run-model.ts';

export interface HostRow {
  readonly host: string;
  readonly bad: boolean;
  /** Outcomes by step number. */
  readonly cells: ReadonlyMap<number, HostOutcome>;
  readonly counts: Readonly<Record<'ok' | 'changed' | 'failed', number>>;
}

const OKAY: ReadonlySet<HostResult> = new Set(['ok', 'changed', 'ignored']);

/** One row for each host: failed hosts first, each group sorted by name. */
export const hostRows = (run: Run): HostRow[] => {
  const cells = new Map<string, Map<number, HostOutcome>>(run.hosts.map((host) => [host, new Map()]));
  for (const { step, hosts } of run.steps) for (const outcome of hosts) cells.get(outcome.host)?.set(step, outcome);
  const rows = run.hosts.map((host): HostRow => {
    const row = cells.get(host) ?? new Map<number, HostOutcome>();
    const results = [...row.values()].map(({ result }) => result);
    return {
      host,
      bad: results.some(isBad) && !wasRescued(run, host),
      cells: row,
      counts: {
        ok: results.filter((result) => OKAY.has(result)).length,
        changed: results.filter((result) => result === 'changed').length,
        failed: results.filter(isBad).length,
      },
    };
  });
  return [...rows.filter(({ bad }) => bad), ...rows.filter(({ bad }) => !bad)];
};

/** The rows whose host name contains a text, case-insensitive. */
export const namedRows = (rows: readonly HostRow[], name: string): readonly HostRow[] => {
  const wanted = name.trim().toLowerCase();
  return wanted === '' ? rows : rows.filter(({ host }) => host.toLowerCase().includes(wanted));
};

/** Whether a step is the first one of its play, which has a line before it. */
export const beginsPlay = (steps: readonly Step[], at: number): boolean => steps[at]?.play !== steps[at - 1]?.play;
