import { describe, expect, it } from 'vitest';
import { inSlices } from './in-slices.ts';
import type { Group } from './matrix-groups.ts';
import { indexAt, type Opened, rowsOf, rowTops, toggled, unfolded } from './matrix-rows.ts';
import { moveCell } from './move-cell.ts';
import { sortInSlices } from './sort-in-slices.ts';

describe('work in slices', () => {
  it('sorts a long list with pauses, and keeps the order of equal items', () => {
    const items = Array.from({ length: 3_001 }, (_, at) => ({ at, weight: (at * 7919) % 13 }));
    const work = sortInSlices(items, (a, b) => a.weight - b.weight);
    let pauses = 0;
    let next = work.next();
    for (; !next.done; next = work.next()) pauses += 1;
    expect(pauses).toBeGreaterThan(6);
    expect(next.value).toEqual(items.toSorted((a, b) => a.weight - b.weight || a.at - b.at));
  });

  it('is done at once if it is short, and can be stopped if it is long', async () => {
    let steps = 0;
    const work = function* (isLong: boolean): Generator<void, string> {
      while (isLong) {
        steps += 1;
        yield;
      }
      return 'done';
    };
    const results: string[] = [];
    inSlices(work(false), (result) => results.push(result));
    expect(results).toEqual(['done']);
    inSlices(work(true), (result) => results.push(result))();
    const before = steps;
    await new Promise((resolve) => setTimeout(resolve));
    expect(steps).toBe(before);
  });
});

describe('the rows of the matrix', () => {
  const group = (key: string, block: Group['block'], count: number): Group => {
    const hosts = Array.from({ length: count }, (_, at) => ({
      ...{ number: at + 1, host: `${key}-${at + 1}`, cells: 'o', changed: 0, isBad: block === 'bad', ms: 1 },
    }));
    return { key, block, shown: 'o', hosts, changed: 0, ms: 1 };
  };
  const groups = [group('a', 'bad', 1), group('b', 'done', 6), group('c', 'done', 2)];
  const kinds = (opened: Opened) =>
    rowsOf(groups, opened, true)
      .map(({ kind }) => kind)
      .join(' ');

  it('list the first hosts of an unfolded group, and the others when they are requested', () => {
    const opened = toggled(new Map(), 'b');
    expect(kinds(opened)).toBe('group group host host host host more group');
    expect(kinds(unfolded(opened, 'b'))).toBe('group group host host host host host host group');
    expect(kinds(toggled(opened, 'b'))).toBe('group group group');
  });

  it('have a gap between two blocks, and are found by their tops', () => {
    const rows = rowsOf(groups, new Map(), true);
    const tops = rowTops(rows);
    expect([...tops]).toEqual([0, 35, 61, 87]);
    expect([-5, 0, 34, 35, 60, 500].map((top) => indexAt(tops, top))).toEqual([0, 0, 0, 1, 1, 2]);
    expect(rowTops([])).toHaveLength(1);
  });
});

describe('the keys of the matrix', () => {
  const size = { rows: 5, columns: 3, page: 3 };
  it.each([
    ['ArrowDown', undefined, { row: 0, column: 0 }],
    ['ArrowDown', { row: 4, column: 1 }, { row: 4, column: 1 }],
    ['ArrowLeft', { row: 1, column: 0 }, { row: 1, column: -1 }],
    ['ArrowRight', { row: 1, column: 2 }, { row: 1, column: 2 }],
    ['Home', { row: 1, column: 2 }, { row: 1, column: -1 }],
    ['End', { row: 1, column: -1 }, { row: 1, column: 2 }],
    ['PageDown', { row: 1, column: 0 }, { row: 4, column: 0 }],
    ['PageUp', { row: 1, column: 0 }, { row: 0, column: 0 }],
    ['x', { row: 1, column: 0 }, undefined],
  ])('%s leads from %j to %j', (key, from, to) => {
    expect(moveCell(key, from, size)).toEqual(to);
  });
});
