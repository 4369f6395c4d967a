import { useCallback, useEffect, useRef, useState } from 'react';
import { HEAD } from './draw-matrix.ts';
import { indexAt } from './matrix-rows.ts';

/** A size until the real one is known. */
const UNKNOWN = { width: 1200, height: 600 };
/** Rows are drawn in steps, so that most scroll events draw none. */
const ROW_STEP = 12;
/** How long the page must not scroll until the table for screen readers follows, in milliseconds. */
const STILL_MS = 300;

export interface VisibleRange {
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

const isEqual = (a: readonly [number, number], b: readonly [number, number]): boolean => a[0] === b[0] && a[1] === b[1];

/** Which rows and columns of the matrix are visible, and which rows the page has to contain. */
export const useVisible = (tops: Float64Array, starts: Float64Array, namesOf: (width: number) => number) => {
  const scroller = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const names = namesOf(size.width || UNKNOWN.width);
  const rangeNow = useCallback((): VisibleRange => {
    const box = scroller.current;
    const { width, height } = size.width > 0 ? size : UNKNOWN;
    const [left, top] = [box?.scrollLeft ?? 0, box?.scrollTop ?? 0];
    return {
      rows: [indexAt(tops, top), Math.min(tops.length - 1, indexAt(tops, top + height - HEAD) + 1)],
      columns: [indexAt(starts, left), Math.min(starts.length - 1, indexAt(starts, left + width - names) + 1)],
    };
  }, [tops, starts, size, names]);
  const [drawn, setDrawn] = useState<readonly [number, number]>([0, 0]);
  const [readable, setReadable] = useState<VisibleRange>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const update = useCallback((): void => {
    const { rows } = rangeNow();
    const next = [
      Math.max(0, (Math.floor(rows[0] / ROW_STEP) - 1) * ROW_STEP),
      Math.min(tops.length - 1, (Math.ceil(rows[1] / ROW_STEP) + 1) * ROW_STEP),
    ] as const;
    setDrawn((before) => (isEqual(before, next) ? before : next));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setReadable(rangeNow()), STILL_MS);
  }, [rangeNow, tops]);
  useEffect(() => {
    update();
    setReadable(rangeNow());
    return () => clearTimeout(timer.current);
  }, [update, rangeNow]);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const measure = (): void => setSize({ width: box.clientWidth, height: box.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return { scroller, size, names, rangeNow, drawn, readable, onScrolled: update };
};
