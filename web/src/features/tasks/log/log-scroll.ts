import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { afterScroll, FOLLOWING, type Follow } from './follow.ts';
import { type Layout, LINE_HEIGHT } from './log-layout.ts';
import type { Scale } from './scroll-scale.ts';

/** Width and height of the visible part of the log, in pixels. */
export const useViewSize = (box: RefObject<HTMLElement | null>): { width: number; height: number } => {
  const [size, setSize] = useState({ width: 800, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    // At most the height of the screen: if a layout error lets the element grow, the work stays bounded.
    const measure = () =>
      setSize({ width: element.clientWidth, height: Math.min(element.clientHeight, window.innerHeight) });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
};

/** A line and its distance from the upper edge, which stays the same when rows above it are added or removed. */
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
  /** The line to show first and whenever it changes; undefined for the end. */
  line: number | undefined;
  /** A line to scroll to; a new object scrolls again. */
  target: ScrollTarget | undefined;
}

/** A line to scroll to. */
export interface ScrollTarget {
  readonly line: number;
}

const anchorAt = (layout: Layout, top: number): Anchor | undefined => {
  const row = layout.rows(top, top + 1)[0];
  return row && { line: row.line, below: row.top - top };
};

/**
 * The scroll position of the log. It follows the end until the user scrolls up. Then the line at the upper edge stays
 * where it is when other lines are added, folded or replaced by a header.
 */
export const useLogScroll = ({ box, layout, scale, view, total, line, target }: LogScrollInput) => {
  const [top, setTop] = useState(0);
  const [follow, setFollow] = useState<Follow>(() => (line === undefined ? FOLLOWING : { following: false, seen: 0 }));
  const exact = useRef(0);
  const anchor = useRef<Anchor | undefined>(undefined);
  const shown = useRef<number | undefined>(undefined);
  const reached = useRef<ScrollTarget | undefined>(undefined);

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
    if (target === undefined || target === reached.current || total === 0) return;
    reached.current = target;
    const below = layout.topOf(target.line) - exact.current;
    // A visible line stays where it is: only the highlight moves.
    const isSeen = below >= 0 && below <= view - 2 * LINE_HEIGHT;
    anchor.current = { line: target.line, below: isSeen ? below : view / 3 };
    setFollow({ following: false, seen: total });
  }, [target, layout, total, view]);

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
      // Only scrolling up stops following; a growing log does not.
      if (atEnd || up) setFollow((now) => afterScroll(now, atEnd, total));
    },
    [layout, total],
  );

  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    element.toggleAttribute('data-sideways', element.scrollLeft > 0);
    // After our own scrolling the exact position is known better than the element reports it.
    if (Math.abs(scale.toElement(exact.current) - element.scrollTop) < 1.5) return;
    const to = scale.toLog(element.scrollTop);
    moved(to, to < exact.current, element.scrollTop + element.clientHeight >= element.scrollHeight - 8);
  };

  useEffect(() => {
    const element = box.current;
    if (!element || !scale.scaled) return;
    // When the scroll position is scaled, one notch of the wheel would skip hundreds of lines: it moves by pixels of
    // the log instead.
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
  /** Records that a line is already visible, so that the log does not scroll to it. */
  const keep = useCallback((number: number) => {
    shown.current = number;
  }, []);
  return { top, follow, onScroll, toEnd, keep };
};
