import { readFileSync } from 'node:fs';

/** The longest that a timer of Node can wait; who sets a limit beyond it means no limit. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A moment on the clock of the kernel that nobody sets, which all processes read alike until the machine starts anew. */
export interface BootMoment {
  /** Names one start of the machine; empty where the kernel does not tell. */
  readonly boot: string;
  /** Milliseconds of it. */
  readonly at: number;
}

const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
};

export const bootMoment = (): BootMoment => ({ boot: bootId(), at: Number(process.hrtime.bigint() / 1_000_000n) });

/**
 * Milliseconds from `since` to `now`, at least. What the clocks of people say is not asked, because somebody may set
 * them: of a moment before the machine was started, all that is sure is that its start came later.
 */
export const millisecondsSince = (since: BootMoment | undefined, now = bootMoment()): number => {
  if (since === undefined || since.boot === '' || now.boot === '') return 0;
  return since.boot === now.boot ? Math.max(0, now.at - since.at) : now.at;
};

export interface TimeLimit {
  /** Aborted when the time is over, or `stop` is. */
  readonly signal: AbortSignal;
  /** Seconds that are left of it, at least a little; 0 means that there is no limit. */
  left(): number;
}

/** Counts the time of a run, of which `spent` milliseconds are over: its preparation counts too. */
export const timeLimit = (seconds: number, spent: number, stop: AbortSignal): TimeLimit => {
  if (seconds === 0 || seconds * 1000 > MAX_TIMER_MS) return { signal: stop, left: () => seconds };
  const since = performance.now() - spent;
  return {
    signal: AbortSignal.any([stop, AbortSignal.timeout(Math.max(0, seconds * 1000 - spent))]),
    left: () => Math.max(0.001, seconds - (performance.now() - since) / 1000),
  };
};
