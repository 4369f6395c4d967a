/** What a run does; each has a playbook of its own. */
export const KINDS = ['short', 'slow', 'long', 'daemon', 'galaxy', 'heavy', 'build', 'queued'] as const;
export type Kind = (typeof KINDS)[number];

/** What is killed. The first two are there for all runs at once, the others are of one run. */
export const VICTIMS = ['server', 'runner', 'watchdog', 'supervisor', 'ansible', 'child', 'git', 'galaxy'] as const;
export type Victim = (typeof VICTIMS)[number];

/**
 * A kill -9. `after` counts, in milliseconds, from the start of the task, or from when such a process of it is first
 * seen.
 */
export interface Kill {
  readonly victim: Victim;
  readonly after: number;
}

/** Where a run is when it is stopped. */
export type Phase = 'waiting' | 'fetching' | 'galaxy' | 'playbook';

export interface PlannedStop {
  readonly phase: Phase;
  /** Milliseconds after the phase was first seen. */
  readonly after: number;
  readonly force: boolean;
}

export interface PlannedRun {
  readonly number: number;
  readonly kind: Kind;
  readonly kills: readonly Kill[];
  readonly stop: PlannedStop | undefined;
}

/** Pseudo-random numbers, the same for the same seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to below 1. */
  roll(): number {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.roll() * limit);
  }

  pick<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let left = this.roll() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return entries[0]?.[0] as T;
  }
}

const KIND_WEIGHTS: Readonly<Record<Kind, number>> = {
  short: 26,
  slow: 18,
  long: 10,
  daemon: 14,
  galaxy: 8,
  heavy: 12,
  build: 7,
  queued: 5,
};

const victimsOf = (kind: Kind): Partial<Record<Victim, number>> => ({
  server: 14,
  runner: 22,
  watchdog: 6,
  supervisor: 12,
  ansible: 12,
  child: 12,
  git: kind === 'heavy' ? 40 : 8,
  ...(kind === 'galaxy' ? { galaxy: 40 } : {}),
});

/** How long after its beginning each is most interesting, in milliseconds. */
const SPAN: Readonly<Record<Victim, number>> = {
  server: 3000,
  runner: 3000,
  watchdog: 2500,
  supervisor: 2500,
  ansible: 1800,
  child: 600,
  git: 60,
  galaxy: 500,
};

const STOP_SPAN: Readonly<Record<Phase, number>> = { waiting: 300, fetching: 40, galaxy: 500, playbook: 1800 };

const planStop = (dice: Dice, kind: Kind): PlannedStop | undefined => {
  const wanted = dice.roll() < (kind === 'queued' ? 0.8 : 0.28);
  const phase =
    kind === 'queued'
      ? 'waiting'
      : dice.pick<Phase>({ fetching: kind === 'heavy' ? 30 : 5, galaxy: kind === 'galaxy' ? 30 : 0, playbook: 20 });
  const stop = { phase, after: dice.below(STOP_SPAN[phase]), force: dice.roll() < 0.5 };
  return wanted ? stop : undefined;
};

/** One run of a schedule, whatever the length of the schedule. */
export const planRun = (seed: number, number: number): PlannedRun => {
  const dice = new Dice(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const kind = dice.pick(KIND_WEIGHTS);
  const count = Number(dice.pick({ 0: 15, 1: 60, 2: 25 }));
  const kills = Array.from({ length: count }, (): Kill => {
    const victim = dice.pick(victimsOf(kind));
    return { victim, after: dice.below(SPAN[victim]) };
  });
  return { number, kind, kills, stop: planStop(dice, kind) };
};
