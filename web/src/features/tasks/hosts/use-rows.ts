import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Heights of a row and of the head of the matrix, in pixels, as in the style sheet. */
const ROW = 20;
const HEAD = 152;
/** Rows drawn above and below the visible ones. */
const OVERSCAN = 10;
/** Rows drawn while the height is unknown. */
const INITIAL_ROWS = 20;

/** The range of drawn rows, from `from` to before `to`, and the heights of the rows that are left out. */
export const rowsSeen = (total: number, scrolled: number, height: number) => {
  const top = Math.floor(Math.max(0, scrolled - HEAD) / ROW) - OVERSCAN;
  const count = Math.max(INITIAL_ROWS, Math.ceil(height / ROW)) + 2 * OVERSCAN;
  const from = Math.max(0, Math.min(top, total - count));
  const to = Math.min(total, from + count);
  return { from, to, above: from * ROW, below: (total - to) * ROW };
};

/** Draws only the visible rows of a long list. */
export const useRows = (total: number) => {
  const ref = useRef<HTMLElement>(null);
  const [view, setView] = useState({ scrolled: 0, height: 0 });
  const onScroll = useCallback(() => {
    const element = ref.current;
    if (element) setView({ scrolled: element.scrollTop, height: element.clientHeight });
  }, []);
  useLayoutEffect(() => {
    onScroll();
    window.addEventListener('resize', onScroll);
    return () => window.removeEventListener('resize', onScroll);
  }, [onScroll]);
  return { ref, onScroll, ...rowsSeen(total, view.scrolled, view.height) };
};
