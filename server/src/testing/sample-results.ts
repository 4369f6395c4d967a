import type { HostStats, ResultRecord } from '@signalbox/contract';

const AT = Date.parse('2026-11-21T10:00:00.000Z');

const NOTHING: HostStats = { ok: 0, changed: 0, failures: 0, ignored: 0, skipped: 0, rescued: 0, unreachable: 0 };

export interface SampleRun {
  readonly hosts: number;
  readonly steps: number;
  /** Whether the run was interrupted before its final counts. */
  readonly isCut?: boolean;
}

/** Names of the hosts of a sample run, by their number from 0. */
export const sampleHost = (number: number): string => `web-${number}`;

/**
 * A run of one play: every host has a result of every step. Host 1 changes something in step 2, host 2 fails in step 2,
 * host 3 is unreachable in step 1; both have nothing after that.
 */
export const sampleRun = ({ hosts, steps, isCut = false }: SampleRun): ResultRecord[] => {
  const records: ResultRecord[] = [{ kind: 'play', at: AT, line: 1, play: 1, name: 'Sample', hosts }];
  const stats: Record<string, HostStats> = {};
  for (let step = 1; step <= steps; step += 1) {
    const at = AT + step * 1000;
    records.push({
      kind: 'step',
      at,
      line: step * 10,
      step,
      play: 1,
      name: `Step ${step}`,
      action: 'ping',
      handler: false,
    });
    for (let number = 0; number < hosts; number += 1) {
      const host = sampleHost(number);
      const of = stats[host] ?? { ...NOTHING };
      stats[host] = of;
      if (of.failures > 0 || of.unreachable > 0) continue;
      const base = { kind: 'host', at, line: step * 10 + 1, step, host } as const;
      if (number === 3) {
        records.push({ ...base, result: 'unreachable', message: 'no route' });
        of.unreachable += 1;
      } else if (number === 2 && step === 2) {
        records.push({ ...base, result: 'failed', message: 'broken' });
        of.failures += 1;
      } else {
        const changed = number === 1 && step === 2;
        records.push({ ...base, result: changed ? 'changed' : 'ok', message: '' });
        of.ok += 1;
        of.changed += changed ? 1 : 0;
      }
    }
  }
  if (!isCut) records.push({ kind: 'stats', at: AT + (steps + 1) * 1000, line: steps * 10 + 10, hosts: stats });
  return records;
};
