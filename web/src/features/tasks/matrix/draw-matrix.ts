import { translate } from '../../../lang/translate.ts';
import { shownCells } from './matrix-cell.ts';
import type { Column } from './matrix-columns.ts';
import { type Row, rowHeight } from './matrix-rows.ts';

/** Sizes in pixels. */
export const HEAD = 148;
const CELL = 23;
const ROLE_CELL = 46;
const SLANT = (-52 * Math.PI) / 180;
/** Characters of the name of a step that fit above its column. */
const NAME_LENGTH = 26;
/** Least width after the last column, and the width that a letter of its slanted name takes there. */
const [MIN_OVERHANG, LETTER] = [24, 4.2];

export interface MatrixColours {
  readonly ok: string;
  readonly bad: string;
  readonly onBad: string;
  readonly badText: string;
  readonly quiet: string;
  readonly dot: string;
  readonly active: string;
  readonly activeText: string;
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly focus: string;
  readonly open: string;
  readonly font: string;
}

/** The colours of the theme, because a canvas has no style sheet. */
export const matrixColours = (element: Element): MatrixColours => {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ...{ ok: of('--ok-solid'), bad: of('--error-solid'), onBad: of('--error-on'), badText: of('--error-text') },
    ...{ quiet: of('--wait-solid'), dot: of('--line-control'), active: of('--active-solid') },
    ...{ activeText: of('--active-text'), text: of('--text-2'), faint: of('--text-3'), line: of('--line-strong') },
    ...{ focus: of('--focus'), open: of('--bg-sunken'), font: style.fontFamily },
  };
};

/** The left edges of the columns and, last, their width. */
export const columnStarts = (columns: readonly Column[]): Float64Array => {
  const starts = new Float64Array(columns.length + 1);
  for (const [at, { isRole }] of columns.entries()) starts[at + 1] = (starts[at] ?? 0) + (isRole ? ROLE_CELL : CELL);
  return starts;
};

/** Width after the last column, so that no other column begins below the end of its name. */
export const overhangOf = (columns: readonly Column[]): number =>
  Math.max(MIN_OVERHANG, Math.ceil(Math.min(NAME_LENGTH, columns.at(-1)?.label.length ?? 0) * LETTER));

type Draw = (pen: CanvasRenderingContext2D, colours: MatrixColours) => void;

const ring = (pen: CanvasRenderingContext2D, radius: number, colour: string, width = 1.6): void => {
  pen.beginPath();
  pen.arc(7, 7, radius, 0, 2 * Math.PI);
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke();
};

const path = (pen: CanvasRenderingContext2D, points: readonly number[], colour: string, width = 1.6): void => {
  pen.beginPath();
  for (let at = 0; at < points.length; at += 4) {
    pen.moveTo(points[at] ?? 0, points[at + 1] ?? 0);
    pen.lineTo(points[at + 2] ?? 0, points[at + 3] ?? 0);
  }
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke();
};

const box = (pen: CanvasRenderingContext2D, from: number, size: number, radius: number, colour: string): void => {
  pen.beginPath();
  pen.roundRect(from, from, size, size, radius);
  pen.fillStyle = colour;
  pen.fill();
};

const dot = (pen: CanvasRenderingContext2D, radius: number, colour: string): void => {
  pen.beginPath();
  pen.arc(7, 7, radius, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
};

/** The shapes of results in a square of 14 pixels, as in the legend. */
export const SHAPES: Readonly<Record<string, Draw>> = {
  o: (pen, { ok }) => ring(pen, 3.25, ok, 1.5),
  c: (pen, { ok }) => box(pen, 2.5, 9, 1, ok),
  s: (pen, { quiet }) => path(pen, [4, 7, 10, 7], quiet, 1.5),
  i: (pen, { quiet }) => path(pen, [4, 4, 10, 10, 10, 4, 4, 10], quiet, 1.5),
  r: (pen, { ok }) => path(pen, [3, 4, 6, 7, 6, 7, 3, 10, 7.5, 4, 10.5, 7, 10.5, 7, 7.5, 10], ok, 1.5),
  f: (pen, { bad, onBad }) => {
    box(pen, 1, 12, 2, bad);
    path(pen, [4.6, 4.6, 9.4, 9.4, 9.4, 4.6, 4.6, 9.4], onBad);
  },
  u: (pen, { bad }) => {
    ring(pen, 5.5, bad);
    path(pen, [3.2, 10.8, 10.8, 3.2], bad);
  },
  a: (pen, { active }) => {
    ring(pen, 5, active);
    dot(pen, 2, active);
  },
  '.': (pen, { dot: colour }) => dot(pen, 1, colour),
};

const SPRITE = 16;
const LETTERS = Object.keys(SHAPES);

/** The shapes as images, because drawing an image is much faster than drawing lines. */
export const matrixSprites = (colours: MatrixColours, ratio: number): HTMLCanvasElement => {
  const sprites = document.createElement('canvas');
  sprites.width = Math.ceil(SPRITE * ratio) * LETTERS.length;
  sprites.height = Math.ceil(SPRITE * ratio);
  const pen = sprites.getContext('2d');
  if (!pen) return sprites;
  pen.lineCap = 'round';
  for (const [at, letter] of LETTERS.entries()) {
    pen.setTransform(ratio, 0, 0, ratio, Math.ceil(SPRITE * ratio) * at, 0);
    SHAPES[letter]?.(pen, colours);
  }
  return sprites;
};

/** What is drawn, and which part of it is visible. */
export interface MatrixView {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  /** Width of the names of hosts, which are no part of the canvas. */
  readonly names: number;
  /** Left edge of the counts, which cover the cells. */
  readonly right: number;
  readonly sprites: HTMLCanvasElement;
}

export interface MatrixChart {
  readonly columns: readonly Column[];
  readonly starts: Float64Array;
  readonly rows: readonly Row[];
  readonly tops: Float64Array;
  /** Letters of the columns as of the rows: `f` with a failure, `a` for the one that runs. */
  readonly heads: string;
  readonly active: { readonly row: number; readonly column: number } | undefined;
  readonly chosen: { readonly row: number; readonly column: number } | undefined;
}

const drawCells = (
  pen: CanvasRenderingContext2D,
  { columns, starts, rows, tops, active, chosen }: MatrixChart,
  { left, top, names, sprites }: MatrixView,
  colours: MatrixColours,
  range: { rows: readonly [number, number]; columns: readonly [number, number] },
): void => {
  const size = sprites.height;
  for (let at = range.rows[0]; at < range.rows[1]; at += 1) {
    const row = rows[at];
    if (!row || row.kind === 'more') continue;
    const cells = shownCells(row.group.shown, columns);
    const y = HEAD + (tops[at] ?? 0) - top + (rowHeight(row) - 14) / 2;
    for (let column = range.columns[0]; column < range.columns[1]; column += 1) {
      const cell = cells[column];
      if (!cell) continue;
      const start = names + (starts[column] ?? 0) - left;
      const wide = (starts[column + 1] ?? 0) - (starts[column] ?? 0);
      const x = start + (cell.changes > 0 ? 6 : (wide - 14) / 2);
      const sprite = LETTERS.indexOf(cell.letter) * size;
      if (sprite >= 0) pen.drawImage(sprites, sprite, 0, size, size, Math.round(x), Math.round(y), SPRITE, SPRITE);
      if (cell.changes > 0) {
        pen.fillStyle = colours.faint;
        pen.fillText(String(cell.changes), x + 18, y + 8);
      }
      const isChosen = chosen?.row === at && chosen.column === column;
      if (!isChosen && !(active?.row === at && active.column === column)) continue;
      pen.strokeStyle = isChosen ? colours.focus : colours.faint;
      pen.lineWidth = isChosen ? 2 : 1;
      pen.strokeRect(start + 1, y - 4, wide - 2, 22);
    }
  }
};

const drawHead = (
  pen: CanvasRenderingContext2D,
  { columns, starts, heads }: MatrixChart,
  { left, names, right }: MatrixView,
  colours: MatrixColours,
  [first, last]: readonly [number, number],
): void => {
  for (let at = first; at < last; at += 1) {
    const column = columns[at];
    if (!column || names + (starts[at + 1] ?? 0) - left > right) continue;
    const head = heads[at];
    const name = column.isRole
      ? `${column.label}, ${translate('run.steps', { count: column.steps.length })}`
      : column.label;
    pen.save();
    pen.translate(names + (starts[at] ?? 0) - left + (column.isRole ? 24 : 15), HEAD - 6);
    pen.rotate(SLANT);
    pen.fillStyle = head === 'f' ? colours.badText : head === 'a' ? colours.activeText : colours.text;
    pen.font = `${column.isRole || head !== undefined ? 500 : 400} 12px ${colours.font}`;
    pen.fillText(name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name, 0, 0);
    pen.restore();
  }
};

/** The drawn rows and columns: the visible ones. */
export const drawMatrix = (
  pen: CanvasRenderingContext2D,
  chart: MatrixChart,
  view: MatrixView,
  colours: MatrixColours,
  range: { rows: readonly [number, number]; columns: readonly [number, number] },
): void => {
  const { width, height, left, top, names, right } = view;
  pen.clearRect(0, 0, width, height);
  pen.textBaseline = 'middle';
  pen.lineCap = 'round';
  pen.save();
  pen.beginPath();
  pen.rect(0, HEAD, width, height - HEAD);
  pen.clip();
  const bottom = Math.min(height, HEAD + (chart.tops.at(-1) ?? 0) - top);
  for (let at = range.rows[0]; at < range.rows[1]; at += 1) {
    const row = chart.rows[at];
    if (!row || (row.kind === 'group' && !row.hasLine)) continue;
    const y = HEAD + (chart.tops[at] ?? 0) - top;
    pen.fillStyle = row.kind === 'group' ? colours.line : colours.open;
    if (row.kind === 'group') pen.fillRect(0, y - 5, width, 1);
    else pen.fillRect(0, y, width, rowHeight(row));
  }
  pen.beginPath();
  pen.rect(0, HEAD, right, height - HEAD);
  pen.clip();
  pen.fillStyle = colours.line;
  for (let at = range.columns[0]; at < range.columns[1]; at += 1)
    if (chart.columns[at]?.hasLine && at > 0)
      pen.fillRect(Math.round(names + (chart.starts[at] ?? 0) - left), 0, 1, bottom);
  pen.font = `11px ${colours.font}`;
  drawCells(pen, chart, view, colours, range);
  pen.restore();
  drawHead(pen, chart, view, colours, range.columns);
};
