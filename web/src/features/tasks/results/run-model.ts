import type {
  HostRecord,
  HostResult,
  HostStats,
  ResultRecord,
  RunSummary,
  StepCounts,
  TaskStatus,
} from '@signalbox/contract';
import { compareNames } from '../../../lang/locale.ts';
import type { StatusColour, StatusShape } from '../../../ui/tasks/status.ts';

export interface HostOutcome {
  readonly host: string;
  readonly result: HostResult;
  readonly message: string;
  readonly line: number;
  /** Number of its last log line, if known. */
  readonly last_line?: number | undefined;
  readonly at: number;
  /** Set if a rescue section of the playbook handles the failure. */
  readonly rescued?: true | undefined;
  readonly items?: HostRecord['items'];
  readonly delegated_to?: string | undefined;
  /** The difference that it made, if the run shows it. */
  readonly diff?: string | undefined;
}

export interface Step {
  readonly step: number;
  readonly play: number;
  readonly name: string;
  readonly action: string;
  /** File of the step in the repository, and its line. */
  readonly path?: string | undefined;
  readonly line: number;
  readonly at: number;
  /** When the next step began; undefined for the newest step. */
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
  /** Number of hosts that the play targets. */
  readonly hosts: number;
  /** Names of these hosts, if they are known. */
  readonly names?: readonly string[] | undefined;
  end: number | undefined;
  readonly steps: Step[];
}

/** The progress of a playbook, built from its records. */
export interface Run {
  readonly plays: readonly Play[];
  readonly steps: readonly Step[];
  /** Names of all hosts with a result. */
  readonly hosts: readonly string[];
  /** The final counts of the run. Nothing happens after them. */
  readonly recap: Recap | undefined;
  /** Set if the run has too many results to load them all: they are fetched when they become visible. */
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

/** Builds the run from its records, in the order in which they happened. */
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

/** How often each result occurred, in the order of the results. */
export const countResults = (hosts: readonly HostOutcome[]): Partial<Record<HostResult, number>> => {
  const counts: Partial<Record<HostResult, number>> = {};
  for (const { result } of hosts) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
};

/** Whether the playbook handled all failures of a host, according to its final counts. */
export const wasRescued = (run: Run, host: string): boolean => {
  const stats = run.recap?.hosts[host];
  return stats !== undefined && stats.failures === 0 && stats.unreachable === 0;
};

/** Whether a result is a failure that the playbook did not handle. */
const isFailure = (run: Run, { host, result, rescued }: HostOutcome): boolean =>
  isBad(result) && rescued !== true && !wasRescued(run, host);

/** The failed and unreachable hosts of a step, without failures that the playbook handled. */
export const badOutcomes = (run: Run, step: Step): HostOutcome[] =>
  step.hosts.filter((outcome) => isFailure(run, outcome));

/** Number of failed and unreachable hosts of a step. */
export const badCount = (run: Run, step: Step): number =>
  step.counts ? step.counts.failed + step.counts.unreachable : badOutcomes(run, step).length;

/** Whether a host has a result. */
export const hasHostResults = (run: Run): boolean => (run.long?.hosts.total ?? run.hosts.length) > 0;

/** The hosts of a run: those with a result, and until its end those of the newest play, which may not have answered. */
export const hostNames = (run: Run): ReadonlySet<string> =>
  new Set([...run.hosts, ...(run.recap ? [] : (run.plays.at(-1)?.names ?? []))]);

/** Number of hosts of a run, for every part of the page. The names of the newest play may be unknown, its number is not. */
export const hostCount = (run: Run): number => {
  if (run.long) return Math.max(run.long.hosts.total, run.long.complete ? 0 : (run.plays.at(-1)?.hosts ?? 0));
  return Math.max(hostNames(run).size, run.recap ? 0 : (run.plays.at(-1)?.hosts ?? 0));
};

/** Number of hosts that failed or were unreachable. */
export const badHostCount = (run: Run): number =>
  run.long ? run.long.hosts.total - run.long.hosts.ok : badHosts(run).length;

/** Names of the hosts that failed or were unreachable. */
export const badHosts = (run: Run): string[] => [
  ...new Set(run.steps.flatMap((step) => badOutcomes(run, step).map(({ host }) => host))),
];

export interface SectionStyle {
  readonly colour: StatusColour;
  readonly shape: StatusShape;
}

const OK: SectionStyle = { colour: 'ok', shape: 'check' };
const FAILED: SectionStyle = { colour: 'error', shape: 'cross' };
const RUNNING: SectionStyle = { colour: 'active', shape: 'arc' };
const CUT: SectionStyle = { colour: 'stop', shape: 'square' };

/** Status icon of a step. The newest step is in progress, or was when the task ended early. */
export const stepStyle = (run: Run, step: Step, status: TaskStatus): SectionStyle => {
  if (badCount(run, step) > 0) return FAILED;
  if (step.end !== undefined) return OK;
  if (status === 'success') return OK;
  return status === 'error' || status === 'stopped' ? CUT : RUNNING;
};

/** Status icon of a play: red as soon as one of its steps failed. */
export const playStyle = (run: Run, play: Play, status: TaskStatus): SectionStyle => {
  const styles = play.steps.map((step) => stepStyle(run, step, status));
  return (
    styles.find(({ colour }) => colour === 'error') ??
    styles.find(({ colour }) => colour === 'stop') ??
    (play.end === undefined && status !== 'success' && status !== 'error' && status !== 'stopped' ? RUNNING : OK)
  );
};
