import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useThemeName } from '../timeline/timeline-colours.ts';
import {
  columnStarts,
  drawMatrix,
  HEAD,
  type MatrixChart,
  matrixColours,
  matrixSprites,
  overhangOf,
} from './draw-matrix.ts';
import css from './matrix.module.css';
import { shownCells } from './matrix-cell.ts';
import type { Column } from './matrix-columns.ts';
import { RowHead, RowNumbers } from './matrix-row.tsx';
import { indexAt, type Row, rowHeight, rowTops } from './matrix-rows.ts';
import { groupName, letterText } from './matrix-texts.ts';
import { type Cell, moveCell } from './move-cell.ts';
import { useVisible } from './use-visible.ts';
import { VisibleTable } from './visible-table.tsx';

/** Width of the counts at the end of each row, in pixels. */
const NUMBERS = 148;

export interface MatrixGridProps {
  project: number;
  columns: readonly Column[];
  rows: readonly Row[];
  /** A letter for each column: `f` if hosts failed in it, `a` if it runs. */
  heads: string;
  chosen: Cell | undefined;
  /** What stands above the names and above the counts. */
  head: ReactNode;
  numbersHead: ReactNode;
  onOpen: (row: Row, column: Column) => void;
  onToggle: (key: string) => void;
  onMore: (key: string) => void;
  onClose: () => void;
}

const namesOf = (width: number): number => Math.round(Math.min(340, Math.max(170, width * 0.39)));

/** The matrix: names and counts are elements of the page, cells are drawn on a canvas; only what is visible. */
export const MatrixGrid = (props: MatrixGridProps) => {
  const { project, columns, rows, heads, chosen, head, numbersHead, onOpen, onToggle, onMore, onClose } = props;
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef(0);
  const [active, setActive] = useState<Cell>();
  const theme = useThemeName();
  const tops = useMemo(() => rowTops(rows), [rows]);
  const starts = useMemo(() => columnStarts(columns), [columns]);
  const { scroller, size, names, rangeNow, drawn, readable, onScrolled } = useVisible(tops, starts, namesOf);
  const width = names + (starts.at(-1) ?? 0) + overhangOf(columns) + NUMBERS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  const colours = useMemo(() => canvas.current && matrixColours(canvas.current), [theme, size]);
  const ratio = window.devicePixelRatio || 1;
  const sprites = useMemo(
    () => (size.width > 0 && colours ? matrixSprites(colours, ratio) : undefined),
    [colours, ratio, size.width],
  );
  const draw = useCallback((): void => {
    const [element, box] = [canvas.current, scroller.current];
    const pen = size.width > 0 && colours ? element?.getContext('2d') : undefined;
    if (!element || !box || !pen || !colours || !sprites) return;
    const [wide, high] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (element.width !== wide || element.height !== high) Object.assign(element, { width: wide, height: high });
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const chart: MatrixChart = { columns, starts, rows, tops, heads, active, chosen };
    const right = width > size.width ? size.width - NUMBERS : size.width;
    const view = { ...size, left: box.scrollLeft, top: box.scrollTop, names, right, sprites };
    drawMatrix(pen, chart, view, colours, rangeNow());
  }, [
    size,
    colours,
    sprites,
    ratio,
    width,
    columns,
    starts,
    rows,
    tops,
    heads,
    active,
    chosen,
    names,
    rangeNow,
    scroller,
  ]);
  useEffect(draw, [draw]);
  const onScroll = (): void => {
    onScrolled();
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(draw);
  };
  const openAt = useCallback(
    (row: number, column: number): void => {
      const [at, to] = [rows[row], columns[column]];
      if (!at || at.kind === 'more') return;
      if (to) onOpen(at, to);
      else if (at.kind === 'group') onToggle(at.group.key);
    },
    [rows, columns, onOpen, onToggle],
  );
  const visible = useMemo(
    () => (readable ? { rows, columns, range: readable, onOpen: openAt } : undefined),
    [readable, rows, columns, openAt],
  );
  // A thousand cells: they are made between other work.
  const table = useDeferredValue(visible, undefined);
  const cellAt = (event: PointerEvent<HTMLElement>): Cell | undefined => {
    const box = scroller.current;
    if (!box) return undefined;
    const area = box.getBoundingClientRect();
    const [x, y] = [event.clientX - area.left - names + box.scrollLeft, event.clientY - area.top - HEAD];
    if (y < 0 || event.clientX - area.left < names || x >= (starts.at(-1) ?? 0)) return undefined;
    const row = indexAt(tops, y + box.scrollTop);
    return y + box.scrollTop < (tops.at(-1) ?? 0) ? { row, column: indexAt(starts, x) } : undefined;
  };
  const textOf = (cell: Cell): string => {
    const [row, column] = [rows[cell.row], columns[cell.column]];
    if (!row || row.kind === 'more') return '';
    const host = row.kind === 'host' ? row.host.host : groupName(t, row.group);
    const letter = column ? shownCells(row.group.shown, columns)[cell.column]?.letter : undefined;
    return letter === undefined
      ? host
      : t('host.cell', { host, step: column?.label ?? '', result: letterText(t, letter) });
  };
  const show = ({ row, column }: Cell): void => {
    const box = scroller.current;
    if (!box) return;
    const [top, bottom] = [tops[row] ?? 0, tops[row + 1] ?? 0];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom + HEAD > box.scrollTop + box.clientHeight) box.scrollTop = bottom + HEAD - box.clientHeight;
    const [left, right] = [starts[Math.max(0, column)] ?? 0, starts[column + 1] ?? 0];
    const wide = box.clientWidth - names - NUMBERS;
    if (left < box.scrollLeft) box.scrollLeft = left;
    else if (right > box.scrollLeft + wide) box.scrollLeft = right - wide;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget) return;
    const { rows: seen } = rangeNow();
    const to = moveCell(event.key, active, { rows: rows.length, columns: columns.length, page: seen[1] - seen[0] - 2 });
    if (to) {
      setActive(to);
      show(to);
    } else if (event.key === 'Enter' && active) {
      const row = rows[active.row];
      if (row?.kind === 'more') onMore(row.group.key);
      else openAt(active.row, active.column);
    } else if (event.key === 'Escape' && chosen) {
      onClose();
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };
  const shown = rows.slice(drawn[0], drawn[1]).map((row, offset) => ({
    row,
    key: row.kind === 'host' ? `${row.group.key} ${row.host.host}` : `${row.kind} ${row.group.key}`,
    top: HEAD + (tops[drawn[0] + offset] ?? 0),
    height: rowHeight(row),
  }));
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a canvas whose cells are reached by the arrow keys */}
      <div
        ref={scroller}
        className={css.grid}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        aria-label={t('matrix.grid')}
        aria-describedby="matrix-cell"
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => {
          const cell = cellAt(event);
          event.currentTarget.style.cursor = cell ? 'pointer' : '';
          event.currentTarget.title = cell ? textOf(cell) : '';
        }}
        onClick={(event) => {
          const cell = cellAt(event as unknown as PointerEvent<HTMLElement>);
          if (!cell) return;
          setActive(cell);
          openAt(cell.row, cell.column);
        }}
      >
        <div className={css.sizer} style={{ width, height: HEAD + (tops.at(-1) ?? 0) + 16 }}>
          <div className={css.gridHead} style={{ width }}>
            <div style={{ width: names, height: HEAD }}>{head}</div>
            <div className={css.numbers} style={{ height: HEAD }}>
              {numbersHead}
            </div>
          </div>
          <div className={css.canvasBox}>
            <canvas ref={canvas} className={css.canvas} style={size} />
          </div>
          <div className={css.sides} style={{ width, height: HEAD + (tops.at(-1) ?? 0) }}>
            <div className={css.names} style={{ width: names }}>
              {shown.map(({ key, row, ...box }) => (
                <RowHead key={key} project={project} row={row} {...box} onToggle={onToggle} onMore={onMore} />
              ))}
            </div>
            <div className={css.counts}>
              {shown.map(({ key, row, ...box }) => (
                <RowNumbers key={key} row={row} {...box} />
              ))}
            </div>
          </div>
        </div>
        {table ? <VisibleTable {...table} /> : null}
      </div>
      <p className="sr" id="matrix-cell" aria-live="polite">
        {active ? textOf(active) : t('matrix.help')}
      </p>
    </>
  );
};
