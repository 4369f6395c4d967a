import type { LineHeights } from './line-heights.ts';

/** Height in pixels of a line, and of each row of a wrapped line. */
export const LINE_HEIGHT = 20;
/** Heights of the headers that replace the first line of a play and of a step. */
export const PLAY_HEIGHT = 36;
export const STEP_HEIGHT = 30;

/** Start of a play or a step in the log. */
export interface Section {
  readonly kind: 'play' | 'step';
  /** Number of its first line, which the header replaces. */
  readonly line: number;
  /** Unique among the sections: `play-1`, `step-3`. */
  readonly id: string;
}

/** A row of the window: a line, or a header that replaces one. */
export type Row =
  | { readonly kind: 'line'; readonly line: number; readonly top: number }
  | { readonly kind: 'section'; readonly section: Section; readonly line: number; readonly top: number };

/** A group of rows: at most one header, followed by lines. */
interface Stretch {
  readonly top: number;
  readonly section: Section | undefined;
  readonly headerHeight: number;
  /** Lines shown below the header, both included; none when `to` is below `from`. */
  readonly from: number;
  readonly to: number;
  readonly bottom: number;
}

export interface Layout {
  readonly height: number;
  /** Rows between two heights, in order. */
  readonly rows: (from: number, to: number) => Row[];
  /** Position of a line, or of the header that hides it. */
  readonly topOf: (line: number) => number;
}

const headerHeight = (section: Section | undefined): number =>
  section === undefined ? 0 : section.kind === 'play' ? PLAY_HEIGHT : STEP_HEIGHT;

const stretches = (
  total: number,
  sections: readonly Section[],
  folded: ReadonlySet<string>,
  offset: (from: number, line: number) => number,
): Stretch[] => {
  const list: Stretch[] = [];
  let top = 0;
  let hidden = false;
  const add = (section: Section | undefined, from: number, to: number): void => {
    const header = headerHeight(section);
    const bottom = top + header + (to < from ? 0 : offset(from, to + 1));
    list.push({ top, section, headerHeight: header, from, to, bottom });
    top = bottom;
  };
  const known = sections.filter(({ line }) => line >= 1 && line <= total);
  if (total > 0 && (known[0]?.line ?? total + 1) > 1) add(undefined, 1, (known[0]?.line ?? total + 1) - 1);
  known.forEach((section, at) => {
    const end = (known[at + 1]?.line ?? total + 1) - 1;
    if (section.kind === 'play') hidden = folded.has(section.id);
    else if (hidden) return;
    const closed = folded.has(section.id);
    add(section, section.line + 1, closed ? section.line : end);
  });
  return list;
};

/** The last line of a group that begins at or above an offset within the group. */
const lineAt = ({ from, to }: Stretch, offset: (from: number, line: number) => number, y: number): number => {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (offset(from, middle) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** Index of the last group that starts at or above a height. */
const at = (list: readonly Stretch[], starts: (stretch: Stretch) => boolean): number => {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const stretch = list[middle];
    if (stretch && starts(stretch)) low = middle;
    else high = middle - 1;
  }
  return low;
};

/**
 * Computes the position of each line of a log with headers for plays and steps, where folded lines take no space. The
 * time depends on the number of sections, not on the number of lines.
 * @param sections sorted by line
 * @param heights additional heights of wrapped lines
 */
export const layoutLog = (
  total: number,
  sections: readonly Section[],
  folded: ReadonlySet<string>,
  heights?: LineHeights,
): Layout => {
  /** Distance of a line from another one in its group. */
  const offset = (from: number, line: number): number =>
    (line - from) * LINE_HEIGHT + (heights ? heights.before(line) - heights.before(from) : 0);
  const list = stretches(total, sections, folded, offset);
  return {
    height: list.at(-1)?.bottom ?? 0,
    rows: (from, to) => {
      const rows: Row[] = [];
      for (let index = at(list, ({ top }) => top <= from); index < list.length; index += 1) {
        const stretch = list[index];
        if (!stretch || stretch.top >= to) break;
        const { section, top, headerHeight: header } = stretch;
        if (section && top + header > from) rows.push({ kind: 'section', section, line: section.line, top });
        const first = top + header;
        for (let line = lineAt(stretch, offset, from - first); line <= stretch.to; line += 1) {
          const y = first + offset(stretch.from, line);
          if (y >= to) break;
          rows.push({ kind: 'line', line, top: y });
        }
      }
      return rows;
    },
    topOf: (line) => {
      const stretch = list[at(list, (s) => (s.section?.line ?? s.from) <= line)];
      if (!stretch) return 0;
      if (line < stretch.from || line > stretch.to) return stretch.top;
      return stretch.top + stretch.headerHeight + offset(stretch.from, line);
    },
  };
};
