import { readFileSync } from 'node:fs';

/** The maximum delay of a timer of Node; a longer limit counts as no limit. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A time of the monotonic clock of the kernel, which is the same for all processes until the next boot. */
export interface BootMoment {
  /** The boot id of the machine; empty if the kernel does not provide it. */
  readonly boot: string;
  /** Milliseconds since boot. */
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
 * Minimum number of milliseconds from `since` to `now`. The wall clock is not used, because it can be set. For a time
 * before the last boot, only the time since boot is certain.
 */
export const millisecondsSince = (since: BootMoment | undefined, now = bootMoment()): number => {
  if (since === undefined || since.boot === '' || now.boot === '') return 0;
  return since.boot === now.boot ? Math.max(0, now.at - since.at) : now.at;
};

export interface TimeLimit {
  /** Aborted when the time limit is reached, or `stop` is. */
  readonly signal: AbortSignal;
  /** Remaining seconds, more than 0; 0 means no limit. */
  left(): number;
}

/** Starts the time limit of a run, of which `spent` milliseconds have passed: the preparation counts too. */
export const timeLimit = (seconds: number, spent: number, stop: AbortSignal): TimeLimit => {
  if (seconds === 0 || seconds * 1000 > MAX_TIMER_MS) return { signal: stop, left: () => seconds };
  const since = performance.now() - spent;
  return {
    signal: AbortSignal.any([stop, AbortSignal.timeout(Math.max(0, seconds * 1000 - spent))]),
    left: () => Math.max(0.001, seconds - (performance.now() - since) / 1000),
  };
};
