import type { RunTimeline, TimelineHost } from '@signalbox/contract';
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { durationText } from '../../../ui/time/time.ts';
import { type Chart, drawTimeline, HEAD, namesWidth, ROW } from './draw-timeline.ts';
import css from './timeline.module.css';
import { readColours, useThemeName } from './timeline-colours.ts';
import { isUnreachable, type Part, partAt, type TimelineRow } from './timeline-model.ts';

/** A host and a step of it, by their positions. */
export interface Cell {
  readonly row: number;
  readonly part: number;
}

export interface TimelineChartProps {
  timeline: RunTimeline;
  rows: number;
  rowAt: (index: number) => TimelineRow | undefined;
  /** How many times as wide as the window it is. */
  zoom: number;
  onRows: (first: number, last: number) => void;
  onOpen: (host: TimelineHost, step: number) => void;
  onUnfold: () => void;
}

const textOf = (part: Part): string => {
  if (isUnreachable(part)) return 'timeline.unreachable';
  return part.to - part.done >= 1000 ? 'timeline.waits' : 'timeline.works';
};

/** The timeline of a run, drawn on a canvas: only the visible part, however many hosts and steps there are. */
export const TimelineChart = ({ timeline, rows, rowAt, zoom, onRows, onOpen, onUnfold }: TimelineChartProps) => {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [chosen, setChosen] = useState<Cell>();
  const theme = useThemeName();
  const names = useMemo(() => namesWidth(timeline.hosts.map(({ host }) => host)), [timeline.hosts]);
  const scale = (Math.max(1, size.width - names - 8) * zoom) / Math.max(1, timeline.ms);
  const nameOf = useCallback(
    (row: TimelineRow): string =>
      row.host?.host ?? t('timeline.others', { count: row.count, number: numberText(row.count) }),
    [t],
  );
  const draw = useCallback((): void => {
    const [element, box] = [canvas.current, scroller.current];
    if (!element || !box || size.width === 0) return;
    const pen = element.getContext('2d');
    if (!pen) return;
    const ratio = window.devicePixelRatio || 1;
    element.width = size.width * ratio;
    element.height = size.height * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const chart: Chart = { total: timeline.ms, rows, rowAt, nameOf, steps: timeline.steps, chosen };
    const view = { ...size, left: box.scrollLeft, top: box.scrollTop, names, scale };
    drawTimeline(pen, chart, view, readColours(element));
  }, [size, timeline, rows, rowAt, nameOf, chosen, names, scale]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(draw, [draw, theme]);
  const onScroll = useCallback((): void => {
    const box = scroller.current;
    if (box) onRows(Math.floor(box.scrollTop / ROW), Math.ceil((box.scrollTop + box.clientHeight) / ROW));
    requestAnimationFrame(draw);
  }, [draw, onRows]);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const measure = (): void => setSize({ width: box.clientWidth, height: box.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  useEffect(onScroll, [onScroll]);

  const open = ({ row: at, part }: Cell): void => {
    const row = rowAt(at);
    const step = row?.parts[part]?.step;
    if (!row || !step) return;
    if (row.host) onOpen(row.host, step.step);
    else onUnfold();
  };
  const cellAt = (event: PointerEvent<HTMLElement>): Cell | undefined => {
    const box = scroller.current;
    if (!box) return undefined;
    const area = box.getBoundingClientRect();
    const [x, y] = [event.clientX - area.left, event.clientY - area.top];
    const at = Math.floor((y - HEAD + box.scrollTop) / ROW);
    const row = y < HEAD ? undefined : rowAt(at);
    if (!row) return undefined;
    if (x < names) return { row: at, part: 0 };
    const part = partAt(row, (x - names + box.scrollLeft) / scale);
    return part === undefined ? undefined : { row: at, part };
  };
  const choose = (cell: Cell): void => {
    setChosen(cell);
    const box = scroller.current;
    const part = rowAt(cell.row)?.parts[cell.part];
    if (!box || !part) return;
    const y = cell.row * ROW;
    if (y < box.scrollTop) box.scrollTop = y;
    if (y + ROW + HEAD > box.scrollTop + box.clientHeight) box.scrollTop = y + ROW + HEAD - box.clientHeight;
    const x = part.from * scale;
    const wide = box.clientWidth - names;
    if (x < box.scrollLeft || x > box.scrollLeft + wide) box.scrollLeft = Math.max(0, x - wide / 3);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { row, part } = chosen ?? { row: 0, part: -1 };
    const most = (rowAt(row)?.parts.length ?? 1) - 1;
    const moves: Record<string, Cell> = {
      ArrowRight: { row, part: Math.min(most, part + 1) },
      ArrowLeft: { row, part: Math.max(0, part - 1) },
      ArrowDown: { row: Math.min(rows - 1, chosen ? row + 1 : 0), part: Math.max(0, part) },
      ArrowUp: { row: Math.max(0, row - 1), part: Math.max(0, part) },
      Home: { row, part: 0 },
      End: { row, part: most },
    };
    const to = moves[event.key];
    if (to) choose(to);
    else if (event.key === 'Enter' && chosen) open(chosen);
    else return;
    event.preventDefault();
  };
  const row = chosen && rowAt(chosen.row);
  const part = chosen && row?.parts[chosen.part];
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a canvas whose parts are reached by the arrow keys */}
      <div
        ref={scroller}
        className={css.chart}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        aria-label={t('timeline.chart')}
        aria-describedby="timeline-cell"
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => {
          const cell = cellAt(event);
          if (cell && (cell.row !== chosen?.row || cell.part !== chosen.part)) setChosen(cell);
        }}
        onClick={() => chosen && open(chosen)}
      >
        <div style={{ width: names + timeline.ms * scale, height: HEAD + rows * ROW }}>
          <canvas ref={canvas} style={size} />
        </div>
      </div>
      <p className={css.cell} id="timeline-cell" aria-live="polite">
        {row && part
          ? t(textOf(part), {
              ...{ host: nameOf(row), step: part.step.name, slowest: part.step.slowest?.host ?? '' },
              ...{ time: durationText(part.done - part.from), wait: durationText(part.to - part.done) },
            })
          : t('timeline.help')}
      </p>
    </>
  );
};
