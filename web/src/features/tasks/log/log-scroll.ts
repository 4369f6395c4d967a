import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { afterScroll, FOLLOWING, type Follow } from './follow.ts';
import { type Layout, LINE_HEIGHT } from './log-layout.ts';
import type { Scale } from './scroll-scale.ts';

/** Width and height of the part of the log that is seen, in pixels. */
export const useViewSize = (box: RefObject<HTMLElement | null>): { width: number; height: number } => {
  const [size, setSize] = useState({ width: 800, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    // What is taller than the screen is not seen: should a layout ever let the box grow, the work stays bounded.
    const measure = () =>
      setSize({ width: element.clientWidth, height: Math.min(element.clientHeight, window.innerHeight) });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
};

/** A line and how far below the upper edge it stands: what stays in place when rows above it come or go. */
interface Anchor {
  readonly line: number;
  readonly below: number;
}

export interface LogScrollInput {
  box: RefObject<HTMLElement | null>;
  layout: Layout;
  scale: Scale;
  view: number;
  total: number;
  /** The line to show at first and whenever it changes; the end without one. */
  line: number | undefined;
  /** A line to bring into view; a new object does it again. */
  goal: Goal | undefined;
}

/** A line to go to. */
export interface Goal {
  readonly line: number;
}

const anchorAt = (layout: Layout, top: number): Anchor | undefined => {
  const row = layout.rows(top, top + 1)[0];
  return row && { line: row.line, below: row.top - top };
};

/**
 * Where the window stands in the log. It follows the end until the person goes up; then the line at its upper edge
 * stays where it is, whatever is added, folded or given a header elsewhere.
 */
export const useLogScroll = ({ box, layout, scale, view, total, line, goal }: LogScrollInput) => {
  const [top, setTop] = useState(0);
  const [follow, setFollow] = useState<Follow>(() => (line === undefined ? FOLLOWING : { following: false, seen: 0 }));
  const exact = useRef(0);
  const anchor = useRef<Anchor | undefined>(undefined);
  const shown = useRef<number | undefined>(undefined);
  const reached = useRef<Goal | undefined>(undefined);

  const scrollTo = useCallback(
    (to: number) => {
      exact.current = Math.max(0, to);
      if (box.current) box.current.scrollTop = scale.toElement(exact.current);
      setTop(exact.current);
    },
    [box, scale],
  );

  useLayoutEffect(() => {
    if (line !== undefined && line !== shown.current && total > 0) {
      shown.current = line;
      anchor.current = { line: Math.min(line, total), below: view / 3 };
      setFollow({ following: false, seen: total });
    }
  }, [line, total, view]);

  useLayoutEffect(() => {
    if (goal === undefined || goal === reached.current || total === 0) return;
    reached.current = goal;
    const below = layout.topOf(goal.line) - exact.current;
    // What is seen already stays where it is: only the mark moves.
    const isSeen = below >= 0 && below <= view - 2 * LINE_HEIGHT;
    anchor.current = { line: goal.line, below: isSeen ? below : view / 3 };
    setFollow({ following: false, seen: total });
  }, [goal, layout, total, view]);

  useLayoutEffect(() => {
    if (follow.following) scrollTo(layout.height - view);
    else if (anchor.current)
      scrollTo(Math.min(layout.topOf(anchor.current.line) - anchor.current.below, layout.height - view));
  }, [follow, layout, view, scrollTo]);

  const moved = useCallback(
    (to: number, up: boolean, atEnd: boolean) => {
      exact.current = to;
      setTop(to);
      anchor.current = anchorAt(layout, to);
      // Only going up leaves the end: a log that grows under the window does not.
      if (atEnd || up) setFollow((now) => afterScroll(now, atEnd, total));
    },
    [layout, total],
  );

  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    element.toggleAttribute('data-sideways', element.scrollLeft > 0);
    // What we scrolled to ourselves is known more exactly than the element can tell.
    if (Math.abs(scale.toElement(exact.current) - element.scrollTop) < 1.5) return;
    const to = scale.toLog(element.scrollTop);
    moved(to, to < exact.current, element.scrollTop + element.clientHeight >= element.scrollHeight - 8);
  };

  useEffect(() => {
    const element = box.current;
    if (!element || !scale.scaled) return;
    // At a scale a notch of the wheel would skip hundreds of lines: it is taken in pixels of the log instead.
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const by = event.deltaY * (event.deltaMode === 1 ? 20 : 1);
      const end = Math.max(0, layout.height - view);
      const to = Math.min(Math.max(0, exact.current + by), end);
      exact.current = to;
      element.scrollTop = scale.toElement(to);
      moved(to, by < 0, to >= end - 1);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [box, scale, layout, view, moved]);

  const toEnd = useCallback(() => setFollow(FOLLOWING), []);
  /** Marks a line that is in view already, so that it need not be scrolled to. */
  const keep = useCallback((number: number) => {
    shown.current = number;
  }, []);
  return { top, follow, onScroll, toEnd, keep };
};
