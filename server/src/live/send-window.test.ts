import { expect, it } from 'vitest';
import { MARKER_EVERY, SendWindow } from './send-window.ts';

const setUp = () => {
  const markers: string[] = [];
  return { markers: markers, window: new SendWindow((marker) => markers.push(marker)) };
};

it('a send window sends markers and counts down to the last answer', () => {
  const { markers, window } = setUp();
  for (let n = 0; n < 10; n++) window.sent(MARKER_EVERY / 4);
  expect(markers).toEqual([String(MARKER_EVERY), String(2 * MARKER_EVERY)]);
  expect(window.underWay).toBe(2.5 * MARKER_EVERY);
  window.answered(markers[0] ?? '');
  expect(window.underWay).toBe(1.5 * MARKER_EVERY);
  window.answered(markers[1] ?? '');
  expect(window.underWay).toBe(0.5 * MARKER_EVERY);
});

it('a send window sends a marker after a message that is larger than the interval', () => {
  const { markers, window } = setUp();
  window.sent(3 * MARKER_EVERY);
  expect(markers).toEqual([String(3 * MARKER_EVERY)]);
});

it.each([
  ['of a ping without a marker', ''],
  ['of no window', 'x'],
  ['beyond what was marked', String(2 * MARKER_EVERY)],
  ['beyond every number', 'Infinity'],
  ['below nothing', '-1'],
  ['that was answered before', String(MARKER_EVERY / 2)],
])('a send window ignores the unknown answer %s', (_name, answer) => {
  const { window } = setUp();
  window.sent(MARKER_EVERY);
  window.sent(MARKER_EVERY / 2);
  window.answered(String(MARKER_EVERY));
  window.answered(answer);
  expect(window.underWay).toBe(MARKER_EVERY / 2);
});

it('an answer to the last marker also counts for all earlier ones', () => {
  const { markers, window } = setUp();
  for (let n = 0; n < 5; n++) window.sent(MARKER_EVERY);
  window.sent(1);
  window.marker();
  window.answered(markers.at(-1) ?? '');
  expect(window.underWay).toBe(0);
});
