import { expect, it } from 'vitest';
import { inkOn } from './brand-ink.ts';

it.each([
  ['#000000', '#ffffff'],
  ['#ffffff', '#000000'],
  ['#0b57d0', '#ffffff'],
  ['#ffcc00', '#000000'],
  ['#fc6d26', '#000000'],
  ['#123456', '#ffffff'],
])('on %s one sees %s', (colour, ink) => {
  expect(inkOn(colour)).toBe(ink);
});
