import { describe, expect, it } from 'vitest';
import { moved } from '../../../ui/lists/moved.ts';
import { changedPositions, maySave, rowsOf, withNewRow } from './view-rows.ts';

const VIEWS = [
  { id: 1, project_id: 1, title: 'Build', position: 0, restricted: false },
  { id: 2, project_id: 1, title: 'Deploy', position: 1, restricted: false },
  { id: 3, project_id: 1, title: 'Tools', position: 2, restricted: false },
];

describe('the rows of views', () => {
  it('are in the order of their positions; new rows have negative ids', () => {
    expect(rowsOf(VIEWS.toReversed()).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(withNewRow(withNewRow(rowsOf(VIEWS))).map(({ id }) => id)).toEqual([1, 2, 3, -1, -2]);
  });

  it('can be saved after their title was changed', () => {
    const row = { id: 1, title: 'Build', draft: undefined };
    expect([undefined, '', ' ', 'Build', ' Build ', 'Builds'].map((draft) => maySave({ ...row, draft }))).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('contain only changed positions, and none of unsaved views', () => {
    const rows = rowsOf(VIEWS);
    expect(changedPositions(rows, VIEWS)).toEqual({});
    expect(changedPositions(moved(rows, 2, 1), VIEWS)).toEqual({ 3: 1, 2: 2 });
    expect(changedPositions(moved(withNewRow(rows), 3, 0), VIEWS)).toEqual({});
    expect(moved(rows, 0, -1)).toEqual(rows);
    expect(moved(rows, 2, 3)).toEqual(rows);
  });
});
