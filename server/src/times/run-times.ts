/** How long one step of a run took. Times are in milliseconds. */
export interface StepTimes {
  /** The same for this step in every run of the template: play, name, module and the number of the repetition. */
  readonly key: string;
  readonly step: number;
  readonly play: string;
  readonly name: string;
  readonly path: string;
  /** When it started, since the first play. */
  readonly at: number;
  /** Until the next step or the final counts. */
  readonly ms: number;
  /** Number of hosts with a result. */
  readonly hosts: number;
  readonly p50: number;
  readonly p95: number;
  /** The slowest hosts with their times, the slowest first. */
  readonly slowest: readonly (readonly [host: string, ms: number])[];
}

/** How long one host of a run took. */
export interface HostTimes {
  readonly host: string;
  /** Sum of its steps. */
  readonly ms: number;
  /** How long the other hosts waited for it alone: in each step in which it was the slowest, until the second slowest. */
  readonly waitedFor: number;
}

/** The times of one run, measured by its runner. */
export interface RunTimes {
  /** Start of the first play, in milliseconds since 1970; null before. */
  readonly started: number | null;
  /** Number of hosts with results. */
  readonly hosts: number;
  /** Number of results that changed something. */
  readonly changed: number;
  readonly steps: readonly StepTimes[];
  /** The slowest hosts, the slowest first. */
  readonly slowest: readonly HostTimes[];
}

/** A step that has started. */
export interface StepStart {
  readonly key: string;
  readonly step: number;
  readonly at: number;
  /** When the next one started; null for the newest. */
  readonly end: number | null;
}

/** What has happened in a run that continues. */
export interface RunSoFar {
  /** Number of hosts of the newest play. */
  readonly hosts: number;
  /** Number of all steps that have started. */
  readonly total: number;
  /** Steps from the one that was asked for. */
  readonly steps: readonly StepStart[];
  /** When the playbook has ended; null while it runs. */
  readonly ended: number | null;
  /** Undefined if it is unknown which hosts work on the newest step. */
  readonly working: WorkingHosts | undefined;
}

/** The hosts without a result of the newest step. */
export interface WorkingHosts {
  readonly step: number;
  readonly name: string;
  readonly line: number;
  /** Number of hosts of the play, and of those with a result of the step. */
  readonly ofPlay: number;
  readonly answered: number;
  readonly total: number;
  /** Names of the first ones. */
  readonly hosts: readonly string[];
}

/** Maximum number of steps of a run that are compared with other runs. */
export const MAX_TIMED_STEPS = 2_000;

/** Returns what makes the keys of the steps of a run, which must be given in order. */
export const stepKeys = (): ((play: string, name: string, action: string) => string) => {
  const counts = new Map<string, number>();
  return (play, name, action) => {
    const key = `${play}\n${name}\n${action}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? key : `${key}\n${count}`;
  };
};

/** Returns the name of a step from its key. */
export const nameOfStep = (key: string): string => key.split('\n')[1] ?? '';

/** The value below which a share of sorted numbers lies; 0 for none. */
export const quantileOf = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
