/** The longest that a timer of Node can wait; who sets a limit beyond it means no limit. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface TimeLimit {
  /** Aborted when the time is over, or `stop` is. */
  readonly signal: AbortSignal;
  /** Seconds that are left of it, at least a little; 0 means that there is no limit. */
  left(): number;
}

/** Counts the time of a run from now, on a clock that nobody sets: its preparation counts too. */
export const timeLimit = (seconds: number, stop: AbortSignal): TimeLimit => {
  if (seconds === 0 || seconds * 1000 > MAX_TIMER_MS) return { signal: stop, left: () => seconds };
  const since = performance.now();
  return {
    signal: AbortSignal.any([stop, AbortSignal.timeout(seconds * 1000)]),
    left: () => Math.max(0.001, seconds - (performance.now() - since) / 1000),
  };
};
