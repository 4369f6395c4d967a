/** Runs work. What is too much at once waits for its turn. */
export type FewAtOnce = <T>(work: () => Promise<T>) => Promise<T>;

/** @param most number of works that run at the same time */
export const fewAtOnce = (most: number): FewAtOnce => {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
};
