import { startTransition, useEffect, useState } from 'react';

/** Number of rows that fit on a screen, and number of rows that are added per frame without delaying input. */
const FIRST = 40;
const STEP = 80;

/**
 * Number of drawn rows of a long list: one screen of rows first, then more after each frame, so that the page accepts
 * input before all rows are drawn. Rows that are added to a drawn list, as when its filter is removed, come as late.
 */
export const useDrawnRows = (count: number): number => {
  const [drawn, setDrawn] = useState(FIRST);
  const [before, setBefore] = useState(count);
  if (count !== before) {
    setBefore(count);
    if (count > before && drawn > before) setDrawn(Math.max(FIRST, before));
  }
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
