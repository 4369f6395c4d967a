import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Failed } from '../../../ui/failed.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { afterScroll, FOLLOWING, type Follow, newLines } from './follow.ts';
import css from './log.module.css';
import { type Layout, layoutLog, type Section } from './log-layout.ts';
import { LogRow } from './log-row.tsx';
import type { LogSource, LogState } from './log-source.ts';
import { type Scale, scaleFor } from './scroll-scale.ts';
import { SectionRow, type SectionView } from './section-row.tsx';

/** Rows drawn above and below what is seen, in pixels, so that a quick scroll shows text. */
const OVERSCAN = 240;

export interface LogWindowProps {
  source: LogSource;
  sections: readonly SectionView[];
  folded: ReadonlySet<string>;
  onFold: (id: string) => void;
  /** The line that is marked, and shown at first instead of the end. */
  line: number | undefined;
  onLine: (line: number) => void;
  showTimes: boolean;
}

const useViewHeight = (box: RefObject<HTMLDivElement | null>): number => {
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    setHeight(element.clientHeight);
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return height;
};

/** Scroll position in the log, kept by the browser up to a height, and by us beyond it. */
const useLogScroll = (box: RefObject<HTMLDivElement | null>, scale: Scale, total: number) => {
  const [top, setTop] = useState(0);
  const [follow, setFollow] = useState<Follow>(FOLLOWING);
  const exact = useRef(0);
  const scrollTo = useCallback(
    (to: number) => {
      exact.current = to;
      if (box.current) box.current.scrollTop = scale.toElement(to);
      setTop(to);
    },
    [box, scale],
  );
  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    const ours = Math.abs(scale.toElement(exact.current) - element.scrollTop) < 1.5;
    const before = exact.current;
    if (!ours) exact.current = scale.toLog(element.scrollTop);
    setTop(exact.current);
    const atEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 8;
    // Only going up leaves the end: a log that grows under the window does not.
    if (atEnd || (!ours && exact.current < before)) setFollow((now) => afterScroll(now, atEnd, total));
  };
  useEffect(() => {
    const element = box.current;
    if (!element || !scale.scaled) return;
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const to = scale.toLog(scale.toElement(exact.current + event.deltaY * (event.deltaMode === 1 ? 20 : 1)));
      scrollTo(to);
      if (event.deltaY < 0) setFollow((now) => afterScroll(now, false, total));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [box, scale, scrollTo, total]);
  return { top, follow, setFollow, scrollTo, onScroll };
};

/** Opens the log at its end, or at the line of the address. */
const useOpening = (
  { line, state, layout, view }: { line: number | undefined; state: LogState; layout: Layout; view: number },
  { scrollTo, setFollow }: Pick<ReturnType<typeof useLogScroll>, 'scrollTo' | 'setFollow'>,
) => {
  const opened = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (line === undefined || state.phase !== 'ready' || opened.current === line || state.total === 0) return;
    opened.current = line;
    setFollow({ following: false, seen: state.total });
    scrollTo(Math.max(0, layout.topOf(line) - view / 3));
  }, [line, state, layout, view, scrollTo, setFollow]);
  return opened;
};

const TOTALS = new Intl.NumberFormat();

/** A window onto a log of any length: it holds only the lines that are seen, and follows the end until one scrolls up. */
export const LogWindow = ({ source, sections, folded, onFold, line, onLine, showTimes }: LogWindowProps) => {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const state = useSyncExternalStore(source.subscribe, () => source.state);
  const view = useViewHeight(box);
  const layout = useMemo(
    () => layoutLog(state.total, sections as readonly Section[], folded),
    [state.total, sections, folded],
  );
  const scale = useMemo(() => scaleFor(layout.height, view), [layout.height, view]);
  const scroll = useLogScroll(box, scale, state.total);
  const { top, follow, setFollow, scrollTo, onScroll } = scroll;
  const opened = useOpening({ line, state, layout, view }, scroll);
  useLayoutEffect(() => {
    if (follow.following && (line === undefined || opened.current !== undefined))
      scrollTo(Math.max(0, layout.height - view));
  }, [follow, layout.height, view, scrollTo, line, opened]);
  const rows = layout.rows(Math.max(0, top - OVERSCAN), top + view + OVERSCAN);
  const first = rows[0]?.line ?? 1;
  const last = rows.at(-1)?.line ?? 0;
  useEffect(() => {
    if (state.version >= 0) source.want(first, last);
  }, [source, first, last, state.version]);
  const onLineStable = useCallback(
    (number: number) => {
      // It is seen already: mark it where it stands.
      opened.current = number;
      onLine(number);
    },
    [onLine, opened],
  );
  const fresh = newLines(follow, state.total);
  const looks = useMemo(() => new Map(sections.map((section) => [section.id, section])), [sections]);
  if (state.phase === 'failed') {
    return (
      <div className={css.failed}>
        <Failed error={state.error} retry={() => void source.openEnd()} />
      </div>
    );
  }
  return (
    <div className={css.log}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div
        ref={box}
        className={css.window}
        onScroll={onScroll}
        tabIndex={0}
        role="region"
        aria-label={t('log.label')}
        aria-busy={state.phase === 'loading'}
      >
        <div className={css.canvas} style={{ height: scale.height }}>
          <div
            className={css.rows}
            style={{ transform: `translateY(${scale.toElement(top) - (top - (rows[0]?.top ?? 0))}px)` }}
          >
            {rows.map((row) => {
              if (row.kind === 'line') {
                return (
                  <LogRow
                    key={row.line}
                    number={row.line}
                    line={source.line(row.line)}
                    chosen={row.line === line}
                    showTime={showTimes}
                    onLine={onLineStable}
                  />
                );
              }
              const look = looks.get(row.section.id);
              return look ? (
                <SectionRow
                  key={row.section.id}
                  section={look}
                  folded={folded.has(look.id)}
                  onFold={onFold}
                  onLine={onLineStable}
                  chosen={row.line === line}
                />
              ) : null;
            })}
          </div>
        </div>
      </div>
      {state.phase === 'ready' && state.total === 0 ? <p className={css.none}>{t('log.empty')}</p> : null}
      {follow.following || state.total === 0 ? null : (
        <div className={css.pill}>
          <Button look="primary" onClick={() => setFollow(FOLLOWING)}>
            <Icon name="tail" />
            {fresh > 0 ? t('log.newLines', { count: fresh, number: TOTALS.format(fresh) }) : t('log.toEnd')}
          </Button>
        </div>
      )}
    </div>
  );
};
