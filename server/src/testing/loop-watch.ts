/** Measures the turns of an event loop in processor time, so that other load on the machine has no effect. */
export interface LoopWatch {
  /** The longest turn since the previous call, or since the start, in milliseconds. */
  longestTurnMs(): number;
  stop(): void;
}

/** Starts to measure the event loop of this thread. */
export const watchLoop = (): LoopWatch => {
  const cpuMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let before = cpuMs();
  let watching = true;
  const turn = (): void => {
    const now = cpuMs();
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
