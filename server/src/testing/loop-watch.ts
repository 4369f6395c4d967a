/** Longest stretches of one loop turn, in milliseconds of processor time, so that a busy machine changes nothing. */
export interface LoopWatch {
  /** The longest turn since the watch started or was read last. */
  longestTurnMs(): number;
  stop(): void;
}

/** Measures how long single turns of this thread's event loop take. */
export const watchLoop = (): LoopWatch => {
  const spentMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let before = spentMs();
  let watching = true;
  const turn = (): void => {
    const now = spentMs();
    longest = Math.max(longest, now - before);
    before = now;
    if (watching) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    longestTurnMs: () => {
      const result = longest;
      longest = 0;
      return result;
    },
    stop: () => {
      watching = false;
    },
  };
};
