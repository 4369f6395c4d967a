import { describe, expect, it } from 'vitest';
import { LineHeights } from './line-heights.ts';
import { LINE_HEIGHT, layoutLog, PLAY_HEIGHT, type Row, type Section, STEP_HEIGHT } from './log-layout.ts';

const NONE: ReadonlySet<string> = new Set();
const play = (number: number, line: number): Section => ({ kind: 'play', line, id: `play-${number}` });
const step = (number: number, line: number): Section => ({ kind: 'step', line, id: `step-${number}` });

/** Four lines, a play at 5 with steps at 6 and 9, a play at 12 with a step at 13, fifteen lines in all. */
const SECTIONS = [play(1, 5), step(1, 6), step(2, 9), play(2, 12), step(3, 13)];

const names = (rows: readonly Row[]): string[] =>
  rows.map((row) => (row.kind === 'line' ? String(row.line) : row.section.id));

describe('the layout of a log', () => {
  it('has one row per line without sections', () => {
    const layout = layoutLog(3, [], NONE);
    expect(layout.height).toBe(3 * LINE_HEIGHT);
    expect(layout.rows(0, 1000)).toEqual([
      { kind: 'line', line: 1, top: 0 },
      { kind: 'line', line: 2, top: 20 },
      { kind: 'line', line: 3, top: 40 },
    ]);
  });

  it('is empty for an empty log', () => {
    const layout = layoutLog(0, SECTIONS, NONE);
    expect(layout.height).toBe(0);
    expect(layout.rows(0, 1000)).toEqual([]);
    expect(layout.topOf(3)).toBe(0);
  });

  it('replaces the first line of a play or a step with a header', () => {
    const layout = layoutLog(15, SECTIONS, NONE);
    expect(names(layout.rows(0, 10_000))).toEqual([
      '1',
      '2',
      '3',
      '4',
      'play-1',
      'step-1',
      '7',
      '8',
      'step-2',
      '10',
      '11',
      'play-2',
      'step-3',
      '14',
      '15',
    ]);
    expect(layout.height).toBe(10 * LINE_HEIGHT + 2 * PLAY_HEIGHT + 3 * STEP_HEIGHT);
  });

  it('shows only the header of a folded step', () => {
    const layout = layoutLog(15, SECTIONS, new Set(['step-1']));
    expect(names(layout.rows(0, 10_000))).not.toContain('7');
    expect(layout.height).toBe(8 * LINE_HEIGHT + 2 * PLAY_HEIGHT + 3 * STEP_HEIGHT);
  });

  it('hides the steps of a folded play', () => {
    const layout = layoutLog(15, SECTIONS, new Set(['play-1']));
    expect(names(layout.rows(0, 10_000))).toEqual(['1', '2', '3', '4', 'play-1', 'play-2', 'step-3', '14', '15']);
  });

  it.each([
    { line: 1, top: 0 },
    { line: 4, top: 60 },
    { line: 5, top: 80 },
    { line: 6, top: 116 },
    { line: 7, top: 146 },
    { line: 10, top: 216 },
  ])('returns the position of line $line', ({ line, top }) => {
    expect(layoutLog(15, SECTIONS, NONE).topOf(line)).toBe(top);
  });

  it('returns the position of the header for a line that is hidden', () => {
    const layout = layoutLog(15, SECTIONS, new Set(['play-1']));
    for (const line of [5, 6, 7, 11]) expect(layout.topOf(line)).toBe(80);
  });

  it('returns the rows of a range without gaps and duplicates', () => {
    const layout = layoutLog(15, SECTIONS, NONE);
    const all = names(layout.rows(0, layout.height));
    for (let top = 0; top < layout.height; top += 7) {
      const seen = layout.rows(top, top + 60);
      const from = all.indexOf(names(seen)[0] ?? '');
      expect(names(seen)).toEqual(all.slice(from, from + seen.length));
      expect(seen[0]?.top).toBeLessThanOrEqual(top);
    }
  });

  it('omits sections beyond the last known line', () => {
    expect(names(layoutLog(6, SECTIONS, NONE).rows(0, 1000))).toEqual(['1', '2', '3', '4', 'play-1', 'step-1']);
  });

  it('finds the rows of a log of two million lines without delay', () => {
    const sections = Array.from({ length: 5000 }, (_, at) => step(at, at * 400 + 1));
    const layout = layoutLog(2_000_000, sections, NONE);
    const rows = layout.rows(layout.height - 100, layout.height);
    expect(rows.at(-1)?.line).toBe(2_000_000);
    expect(rows.length).toBeLessThan(8);
  });

  it('uses the measured heights of wrapped lines', () => {
    const heights = new LineHeights();
    heights.set(2, 40);
    heights.set(7, 20);
    const layout = layoutLog(15, SECTIONS, NONE, heights);
    const plain = layoutLog(15, SECTIONS, NONE);
    expect(layout.height).toBe(plain.height + 60);
    expect(layout.topOf(2)).toBe(20);
    expect(layout.topOf(3)).toBe(20 + 60);
    expect(layout.topOf(8)).toBe(plain.topOf(8) + 60);
    // In the middle of a line of three rows it is still that line.
    expect(names(layout.rows(70, 71))).toEqual(['2']);
    expect(names(layout.rows(70, 101))).toEqual(['2', '3', '4']);
    const all = layout.rows(0, 10_000);
    for (const { line, top } of all) expect(layout.topOf(line), `line ${line}`).toBe(top);
    for (const row of all) expect(layout.rows(row.top, row.top + 1)[0]).toEqual(row);
  });

  it('hides wrapped lines in a folded step', () => {
    const heights = new LineHeights();
    heights.set(7, 20);
    expect(layoutLog(15, SECTIONS, new Set(['step-1']), heights).height).toBe(
      layoutLog(15, SECTIONS, new Set(['step-1'])).height,
    );
  });
});
