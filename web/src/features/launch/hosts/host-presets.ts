import type { TemplateHost, TemplateHosts } from '@signalbox/contract';
import { DAY_MS } from '../../../ui/time/time.ts';

/** Hosts that were not run for so many days count as not run lately. */
export const OLD_DAYS = 30;

export interface Preset {
  readonly name: 'all' | 'failed' | 'unreachable' | 'old' | 'other_version';
  readonly hosts: readonly string[];
}

/**
 * Sets of hosts that users often start a template on: those that failed or were unreachable in its last run, those without a
 * run lately, and those that have another version.
 * @param hosts the hosts of the inventory
 * @param version the version that will run; undefined without one
 */
export const hostPresets = (
  hosts: readonly string[],
  runs: TemplateHosts | undefined,
  version: string | undefined,
  now: number,
): Preset[] => {
  const byHost = new Map((runs?.hosts ?? []).map((run) => [run.host, run]));
  const where = (test: (run: TemplateHost | undefined) => boolean) => hosts.filter((host) => test(byHost.get(host)));
  const ofLast = (run: TemplateHost | undefined, result: TemplateHost['result']) =>
    run?.task_id === runs?.last_task_id && run?.result === result;
  return [
    { name: 'all', hosts },
    { name: 'failed', hosts: where((run) => ofLast(run, 'failed')) },
    { name: 'unreachable', hosts: where((run) => ofLast(run, 'unreachable')) },
    { name: 'old', hosts: where((run) => run === undefined || now - Date.parse(run.time) > OLD_DAYS * DAY_MS) },
    ...(version === undefined
      ? []
      : [{ name: 'other_version' as const, hosts: where((run) => run?.version !== version || run.result !== 'ok') }]),
  ];
};

const TROUBLE: Readonly<Record<TemplateHost['result'], number>> = { failed: 0, unreachable: 1, ok: 2 };

/** Hosts with trouble in their newest run first; otherwise in the given order. */
export const troubleFirst = (
  hosts: readonly string[],
  results: ReadonlyMap<string, TemplateHost['result']>,
): string[] => {
  const rank = (host: string) => TROUBLE[results.get(host) ?? 'ok'];
  return hosts.toSorted((a, b) => rank(a) - rank(b));
};
