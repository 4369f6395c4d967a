import { startTransition, useEffect, useState } from 'react';

/** Rows that a screen shows at once, and those that one frame can add without being late for the next key. */
const FIRST = 40;
const STEP = 80;

/**
 * How many rows of a long list are drawn: a screen of them at once, and more whenever a frame has been painted, so that
 * the page takes keys and clicks long before the last one is there.
 */
export const useGrowing = (count: number): number => {
  const [drawn, setDrawn] = useState(FIRST);
  useEffect(() => {
    if (drawn >= count) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setDrawn(drawn + STEP)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [drawn, count]);
  return Math.min(drawn, count);
};
