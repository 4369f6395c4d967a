import { durationText } from '../../../ui/time/time.ts';
import { type MatrixColours, SHAPES } from '../matrix/draw-matrix.ts';
import { isUnreachable, type TimelineRow, ticksOf } from './timeline-model.ts';

/** Sizes of the chart in pixels. */
export const ROW = 22;
export const HEAD = 44;
export const MIN_TICK = 76;
const BAR = 14;
/** Height of the bar of a host that cannot be reached any more. */
const OUT = 6;

/** Width of the names of hosts, and of one of their letters. */
const [LEAST_NAMES, MOST_NAMES, LETTER] = [72, 168, 7];

/** Width of the column with the names of hosts: no wider than they are, because the steps need the space. */
export const namesWidth = (hosts: readonly string[]): number => {
  const longest = hosts.reduce((most, { length }) => Math.max(most, length), 0);
  return Math.min(MOST_NAMES, Math.max(LEAST_NAMES, longest * LETTER + 24));
};

export interface Colours {
  readonly work: string;
  readonly changed: string;
  readonly bad: string;
  /** Of unreachable hosts. */
  readonly badLine: string;
  /** Of ignored failures, with the colour of their shape. */
  readonly quiet: string;
  readonly onQuiet: string;
  /** Of skipped steps. */
  readonly quietLine: string;
  readonly shapes: MatrixColours;
  readonly wait: string;
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly focus: string;
  readonly font: string;
}

/** What is visible of the chart. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  /** Width of the names of the hosts. */
  readonly names: number;
  /** Pixels for each millisecond. */
  readonly scale: number;
}

export interface Chart {
  readonly total: number;
  /** Undefined for a row that is not loaded. */
  readonly rowAt: (index: number) => TimelineRow | undefined;
  readonly rows: number;
  readonly nameOf: (row: TimelineRow) => string;
  readonly steps: readonly { readonly name: string; readonly at: number; readonly end: number }[];
  readonly chosen: { readonly row: number; readonly part: number } | undefined;
}

/** Minimum width in pixels of a step that shows its name. */
const MIN_NAME = 32;
/** Minimum width in pixels of a bar that shows the shape of its result. */
const MIN_SHAPE = 18;
const SHAPE = 14;

/** The colour of a bar. Its shape is drawn on it. */
const colourOf = (letter: string, { bad, badLine, changed, quiet, quietLine, work }: Colours): string =>
  ({ f: bad, u: badLine, c: changed, i: quiet, s: quietLine })[letter] ?? work;

/** Draws the shape that the result has in the matrix. A cross on a dark bar is light. */
const drawShape = (pen: CanvasRenderingContext2D, letter: string, x: number, y: number, colours: Colours): void => {
  pen.save();
  pen.translate(x, y);
  pen.lineCap = 'round';
  SHAPES[letter]?.(pen, letter === 'i' ? { ...colours.shapes, quiet: colours.onQuiet } : colours.shapes);
  pen.restore();
};

const ELLIPSIS = '…';

/** A text as long as a width allows, with an ellipsis where it ends early; empty if no letter fits. */
export const fittingText = (text: string, width: number, measure: (text: string) => number): string => {
  if (measure(text) <= width) return text;
  const letters = [...text];
  let [fits, tooLong] = [0, letters.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (measure(letters.slice(0, middle).join('').trimEnd() + ELLIPSIS) <= width) fits = middle;
    else tooLong = middle;
  }
  return fits === 0 ? '' : letters.slice(0, fits).join('').trimEnd() + ELLIPSIS;
};

/** Draws a text that ends at a width. */
const drawText = (pen: CanvasRenderingContext2D, text: string, x: number, y: number, width: number): void => {
  pen.fillText(
    fittingText(text, width, (part) => pen.measureText(part).width),
    x,
    y,
  );
};

const drawHead = (pen: CanvasRenderingContext2D, chart: Chart, view: View, colours: Colours): void => {
  const { width, left, names, scale } = view;
  const x = (ms: number): number => names + ms * scale - left;
  pen.fillStyle = colours.faint;
  for (const ms of ticksOf(chart.total, MIN_TICK / scale)) {
    if (x(ms) < names - 1 || x(ms) > width) continue;
    pen.fillText(durationText(ms), x(ms) + 3, 11);
    pen.fillRect(Math.round(x(ms)), 4, 1, 12);
  }
  const boxes = chart.steps
    .map(({ name, at, end }) => ({ name, from: Math.max(names, x(at)), to: Math.min(width, x(end)) }))
    .filter(({ from, to }) => to > from);
  pen.fillStyle = colours.wait;
  for (const { from, to } of boxes) pen.fillRect(from, 20, Math.max(1, to - from - 1), 18);
  pen.fillStyle = colours.text;
  for (const { name, from, to } of boxes) if (to - from >= MIN_NAME) drawText(pen, name, from + 4, 29, to - from - 8);
};

const drawRow = (
  pen: CanvasRenderingContext2D,
  row: TimelineRow,
  y: number,
  view: View,
  colours: Colours,
  chosen: number | undefined,
): void => {
  const { width, left, names, scale } = view;
  const x = (ms: number): number => names + ms * scale - left;
  for (const [at, part] of row.parts.entries()) {
    const { from, done, to, letter } = part;
    if (x(to) < names || x(from) > width) continue;
    const start = Math.max(names, x(from));
    const [colour, height] = isUnreachable(part) ? [colours.badLine, OUT] : [colours.wait, 2];
    pen.fillStyle = colour;
    pen.fillRect(start, y + (ROW - height) / 2, Math.max(0, x(to) - start - 1), height);
    pen.fillStyle = colourOf(letter, colours);
    if (x(done) > names) pen.fillRect(start, y + (ROW - BAR) / 2, Math.max(1, x(done) - start - 1), BAR);
    if (x(done) - start >= MIN_SHAPE) drawShape(pen, letter, start + 2, y + (ROW - SHAPE) / 2, colours);
    if (at !== chosen) continue;
    pen.strokeStyle = colours.focus;
    pen.lineWidth = 2;
    pen.strokeRect(start, y + 2, Math.max(4, x(to) - start), ROW - 4);
  }
};

/** Draws the visible part of a timeline: the steps above, and a row for each host with what it did and when it waited. */
export const drawTimeline = (pen: CanvasRenderingContext2D, chart: Chart, view: View, colours: Colours): void => {
  const { width, height, top, names } = view;
  pen.clearRect(0, 0, width, height);
  pen.font = colours.font;
  pen.textBaseline = 'middle';
  pen.save();
  pen.beginPath();
  pen.rect(0, HEAD, width, height);
  pen.clip();
  const first = Math.max(0, Math.floor(top / ROW));
  const last = Math.min(chart.rows, Math.ceil((top + height - HEAD) / ROW));
  for (let index = first; index < last; index += 1) {
    const row = chart.rowAt(index);
    if (!row) continue;
    const y = HEAD + index * ROW - top;
    drawRow(pen, row, y, view, colours, chart.chosen?.row === index ? chart.chosen.part : undefined);
    pen.fillStyle = row.host ? colours.text : colours.faint;
    drawText(pen, chart.nameOf(row), 8, y + ROW / 2, names - 16);
  }
  pen.restore();
  drawHead(pen, chart, view, colours);
  pen.fillStyle = colours.line;
  pen.fillRect(0, HEAD - 1, width, 1);
};
