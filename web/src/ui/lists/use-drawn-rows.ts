import { startTransition, useEffect, useState } from 'react';
import { afterFrame } from './after-frame.ts';

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
    return afterFrame(() => startTransition(() => setDrawn(drawn + STEP)));
  }, [drawn, count]);
  return Math.min(drawn, count);
};
