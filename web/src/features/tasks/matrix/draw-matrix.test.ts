import { expect, it } from 'vitest';
import { overhangOf } from './draw-matrix.ts';

const column = (label: string) => ({ label, steps: [], isRole: false, hasLine: false });

it('the counts of the matrix begin after the end of the slanted name of the last step', () => {
  expect(overhangOf([column('a very long name of a step before'), column('Ping')])).toBe(24);
  expect(overhangOf([column('Restart the services')])).toBe(84);
  expect(overhangOf([column('x'.repeat(200))])).toBe(110);
  expect(overhangOf([])).toBe(24);
});
