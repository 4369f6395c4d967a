import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Height of a row of the matrix and of its head, in pixels, as the styles have them. */
const ROW = 20;
const HEAD = 152;
/** Rows drawn above and below what is seen. */
const OVERSCAN = 10;
/** Rows drawn where the height is not known. */
const LEAST = 20;

/** Which of so many rows are drawn, from `from` to before `to`, and the height of those left out. */
export const rowsSeen = (total: number, scrolled: number, height: number) => {
  const top = Math.floor(Math.max(0, scrolled - HEAD) / ROW) - OVERSCAN;
  const count = Math.max(LEAST, Math.ceil(height / ROW)) + 2 * OVERSCAN;
  const from = Math.max(0, Math.min(top, total - count));
  const to = Math.min(total, from + count);
  return { from, to, above: from * ROW, below: (total - to) * ROW };
};

/** Draws of many rows only those that are seen. */
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
