import type { HostResult, HostStats, ResultRecord, RunSummary, StepCounts, TaskStatus } from '@signalbox/contract';
import { compareNames } from '../../../lang/locale.ts';
import type { LampColour, LampShape } from '../../../ui/tasks/status.ts';

export interface HostOutcome {
  readonly host: string;
  readonly result: HostResult;
  readonly message: string;
  readonly line: number;
  /** Number of its last log line, if known. */
  readonly last_line?: number | undefined;
  readonly at: number;
  /** There when the playbook takes care of it by a rescue section. */
  readonly rescued?: true | undefined;
}

export interface Step {
  readonly step: number;
  readonly play: number;
  readonly name: string;
  readonly action: string;
  readonly line: number;
  readonly at: number;
  /** When the next step began; undefined for the newest one. */
  end: number | undefined;
  /** Empty in a long run. */
  readonly hosts: HostOutcome[];
  /** Only in a long run. */
  readonly counts?: StepCounts | undefined;
}

export interface Play {
  readonly play: number;
  readonly name: string;
  readonly line: number;
  readonly at: number;
  /** Hosts that it is meant for. */
  readonly hosts: number;
  end: number | undefined;
  readonly steps: Step[];
}

/** What a playbook did so far, put in order. */
export interface Run {
  readonly plays: readonly Play[];
  readonly steps: readonly Step[];
  /** Every host that was seen, by name. */
  readonly hosts: readonly string[];
  /** The final counts: when they are there, nothing more will happen. */
  readonly recap: Recap | undefined;
  /** There where the run has too many results to hold them here: they are asked for as they are shown. */
  readonly long?: RunSummary | undefined;
}

export interface Recap {
  readonly line: number;
  readonly at: number;
  readonly hosts: Readonly<Record<string, Stats>>;
}

type Stats = (typeof HostStats)['_zod']['output'];

/** A run of which nothing has been loaded so far. */
export const EMPTY_RUN: Run = { plays: [], steps: [], hosts: [], recap: undefined };

/** Whether the results have been loaded, even if there are none. */
export const isLoaded = (run: Run): boolean => run !== EMPTY_RUN;

/** Builds the run from its records, which come in the order in which things happened. */
export const buildRun = (records: readonly ResultRecord[]): Run => {
  const plays: Play[] = [];
  const steps: Step[] = [];
  const byStep = new Map<number, Step>();
  const hosts = new Set<string>();
  let recap: Recap | undefined;
  const close = (at: number): void => {
    const last = steps.at(-1);
    if (last) last.end ??= at;
  };
  for (const record of records) {
    switch (record.kind) {
      case 'play': {
        close(record.at);
        const before = plays.at(-1);
        if (before) before.end ??= record.at;
        plays.push({ ...record, end: undefined, steps: [] });
        break;
      }
      case 'step': {
        close(record.at);
        const step: Step = { ...record, end: undefined, hosts: [] };
        steps.push(step);
        byStep.set(record.step, step);
        (plays.find(({ play }) => play === record.play) ?? plays.at(-1))?.steps.push(step);
        break;
      }
      case 'host':
        hosts.add(record.host);
        byStep.get(record.step)?.hosts.push(record);
        break;
      case 'stats': {
        close(record.at);
        const last = plays.at(-1);
        if (last) last.end ??= record.at;
        for (const host of Object.keys(record.hosts)) hosts.add(host);
        recap = record;
      }
    }
  }
  return { plays, steps, hosts: [...hosts].sort(compareNames), recap };
};

const BAD: ReadonlySet<HostResult> = new Set(['failed', 'unreachable']);
export const isBad = (result: HostResult): boolean => BAD.has(result);

/** How often each result came, in the order of the results. */
export const countResults = (hosts: readonly HostOutcome[]): Partial<Record<HostResult, number>> => {
  const counts: Partial<Record<HostResult, number>> = {};
  for (const { result } of hosts) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
};

/** Whether the playbook itself took care of what failed on a host, as its final counts tell. */
export const wasRescued = (run: Run, host: string): boolean => {
  const stats = run.recap?.hosts[host];
  return stats !== undefined && stats.failures === 0 && stats.unreachable === 0;
};

/** Whether a result is one that somebody must look at. */
const isTrouble = (run: Run, { host, result, rescued }: HostOutcome): boolean =>
  isBad(result) && rescued !== true && !wasRescued(run, host);

/** What failed or could not be reached in a step and was not taken care of. */
export const badOutcomes = (run: Run, step: Step): HostOutcome[] =>
  step.hosts.filter((outcome) => isTrouble(run, outcome));

/** How many results of a step somebody must look at. */
export const badCount = (run: Run, step: Step): number =>
  step.counts ? step.counts.failed + step.counts.unreachable : badOutcomes(run, step).length;

/** How many hosts were seen. */
export const hostCount = (run: Run): number => run.long?.hosts.total ?? run.hosts.length;

/** How many hosts failed or could not be reached. */
export const badHostCount = (run: Run): number =>
  run.long ? run.long.hosts.total - run.long.hosts.ok : badHosts(run).length;

/** Names of the hosts that failed or could not be reached. */
export const badHosts = (run: Run): string[] => [
  ...new Set(run.steps.flatMap((step) => badOutcomes(run, step).map(({ host }) => host))),
];

export interface SectionLook {
  readonly lamp: LampColour;
  readonly shape: LampShape;
}

const OK: SectionLook = { lamp: 'ok', shape: 'check' };
const FAILED: SectionLook = { lamp: 'error', shape: 'cross' };
const RUNNING: SectionLook = { lamp: 'active', shape: 'arc' };
const CUT: SectionLook = { lamp: 'stop', shape: 'square' };

/** The lamp of a step. The newest one is what the task is doing, or was doing when it was cut off. */
export const stepLook = (run: Run, step: Step, status: TaskStatus): SectionLook => {
  if (badCount(run, step) > 0) return FAILED;
  if (step.end !== undefined) return OK;
  if (status === 'success') return OK;
  return status === 'error' || status === 'stopped' ? CUT : RUNNING;
};

/** The lamp of a play: red as soon as one of its steps failed. */
export const playLook = (run: Run, play: Play, status: TaskStatus): SectionLook => {
  const looks = play.steps.map((step) => stepLook(run, step, status));
  return (
    looks.find(({ lamp }) => lamp === 'error') ??
    looks.find(({ lamp }) => lamp === 'stop') ??
    (play.end === undefined && status !== 'success' && status !== 'error' && status !== 'stopped' ? RUNNING : OK)
  );
};
