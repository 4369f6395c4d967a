import { expect, it } from 'vitest';
import { arrangeLanes } from './day-lanes.ts';

it('items that do not overlap share a lane', () => {
  const item = (from: number, to: number) => ({ from, to });
  const items = [item(0, 0.1), item(0.05, 0.2), item(0.9, 1), item(0.1, 0.3), item(0.85, 0.95)];
  expect(arrangeLanes(items)).toEqual({ lanes: [0, 1, 0, 0, 1], count: 2 });
  expect(arrangeLanes([])).toEqual({ lanes: [], count: 0 });
});
