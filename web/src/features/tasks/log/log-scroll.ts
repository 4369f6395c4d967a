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
    // Limited to the height of the window: if a layout error lets the element grow, only that many lines are drawn.
    const measure = () =>
      setSize({ width: element.clientWidth, height: Math.min(element.clientHeight, window.innerHeight) });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
};

/** A line that keeps its distance from the upper edge when rows above it are added or removed. */
interface Anchor {
  readonly line: number;
  /** Distance of the line from the upper edge of the visible part, in pixels. */
  readonly offset: number;
}

export interface LogScrollInput {
  box: RefObject<HTMLElement | null>;
  layout: Layout;
  scale: Scale;
  /** Height of the visible part, in pixels. */
  viewHeight: number;
  /** Number of lines of the log. */
  lineCount: number;
  /** The line of the URL: shown first, and again whenever it changes; undefined for the end of the log. */
  line: number | undefined;
  /** A line that was requested on this page, such as a match of the search; a new object scrolls again. */
  target: ScrollTarget | undefined;
}

/** A line to scroll to. */
export interface ScrollTarget {
  readonly line: number;
}

/** The first line at position `top` of the log, with its distance from there. */
const anchorAt = (layout: Layout, top: number): Anchor | undefined => {
  const row = layout.rows(top, top + 1)[0];
  return row && { line: row.line, offset: row.top - top };
};

/**
 * The scroll position of the log. It follows the end until the user scrolls up. Then the line at the upper edge stays
 * where it is when other lines are added, folded or replaced by a header.
 */
export const useLogScroll = ({ box, layout, scale, viewHeight, lineCount, line, target }: LogScrollInput) => {
  const [top, setTop] = useState(0);
  const [follow, setFollow] = useState<Follow>(() => (line === undefined ? FOLLOWING : { following: false, seen: 0 }));
  const position = useRef(0);
  const anchor = useRef<Anchor | undefined>(undefined);
  const shownLine = useRef<number | undefined>(undefined);
  const shownTarget = useRef<ScrollTarget | undefined>(undefined);

  const scrollTo = useCallback(
    (to: number) => {
      position.current = Math.max(0, to);
      if (box.current) box.current.scrollTop = scale.toElement(position.current);
      setTop(position.current);
    },
    [box, scale],
  );

  useLayoutEffect(() => {
    if (line !== undefined && line !== shownLine.current && lineCount > 0) {
      shownLine.current = line;
      anchor.current = { line: Math.min(line, lineCount), offset: viewHeight / 3 };
      setFollow({ following: false, seen: lineCount });
    }
  }, [line, lineCount, viewHeight]);

  useLayoutEffect(() => {
    if (target === undefined || target === shownTarget.current || lineCount === 0) return;
    shownTarget.current = target;
    const offset = layout.topOf(target.line) - position.current;
    // A visible line stays where it is: only the highlight moves.
    const isVisible = offset >= 0 && offset <= viewHeight - 2 * LINE_HEIGHT;
    anchor.current = { line: target.line, offset: isVisible ? offset : viewHeight / 3 };
    setFollow({ following: false, seen: lineCount });
  }, [target, layout, lineCount, viewHeight]);

  useLayoutEffect(() => {
    if (follow.following) scrollTo(layout.height - viewHeight);
    else if (anchor.current)
      scrollTo(Math.min(layout.topOf(anchor.current.line) - anchor.current.offset, layout.height - viewHeight));
  }, [follow, layout, viewHeight, scrollTo]);

  const userScrolled = useCallback(
    (to: number, up: boolean, atEnd: boolean) => {
      position.current = to;
      setTop(to);
      anchor.current = anchorAt(layout, to);
      // Only the user stops following, by scrolling up: a log that grows also moves away from the end.
      if (atEnd || up) setFollow((now) => afterScroll(now, atEnd, lineCount));
    },
    [layout, lineCount],
  );

  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    element.toggleAttribute('data-sideways', element.scrollLeft > 0);
    // The event follows a call of `scrollTo`: keep the position of that call, because browsers round `scrollTop`.
    if (Math.abs(scale.toElement(position.current) - element.scrollTop) < 1.5) return;
    const to = scale.toLog(element.scrollTop);
    userScrolled(to, to < position.current, element.scrollTop + element.clientHeight >= element.scrollHeight - 8);
  };

  useEffect(() => {
    const element = box.current;
    if (!element || !scale.scaled) return;
    // On a scaled log, one notch of the wheel would skip hundreds of lines. So the wheel moves the log by pixels of the
    // log, not of the element.
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const by = event.deltaY * (event.deltaMode === 1 ? 20 : 1);
      const end = Math.max(0, layout.height - viewHeight);
      const to = Math.min(Math.max(0, position.current + by), end);
      position.current = to;
      element.scrollTop = scale.toElement(to);
      userScrolled(to, by < 0, to >= end - 1);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [box, scale, layout, viewHeight, userScrolled]);

  const toEnd = useCallback(() => setFollow(FOLLOWING), []);
  /** Prevents scrolling to a line that the user has just selected: `line` changes to it, but it is already visible. */
  const skipScroll = useCallback((number: number) => {
    shownLine.current = number;
  }, []);
  return { top, follow, onScroll, toEnd, skipScroll };
};
