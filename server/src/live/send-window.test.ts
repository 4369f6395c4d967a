import { expect, it } from 'vitest';
import { MARK_EVERY, SendWindow } from './send-window.ts';

const setUp = () => {
  const marks: string[] = [];
  return { marks, window: new SendWindow((mark) => marks.push(mark)) };
};

it('marks what it sends now and then, and counts down as far as is answered', () => {
  const { marks, window } = setUp();
  for (let n = 0; n < 10; n++) window.sent(MARK_EVERY / 4);
  expect(marks).toEqual([String(MARK_EVERY), String(2 * MARK_EVERY)]);
  expect(window.underWay).toBe(2.5 * MARK_EVERY);
  window.answered(marks[0] ?? '');
  expect(window.underWay).toBe(1.5 * MARK_EVERY);
  window.answered(marks[1] ?? '');
  expect(window.underWay).toBe(0.5 * MARK_EVERY);
});

it('marks a message that is larger than a mark is far at once', () => {
  const { marks, window } = setUp();
  window.sent(3 * MARK_EVERY);
  expect(marks).toEqual([String(3 * MARK_EVERY)]);
});

it.each([
  ['of the check whether somebody is there', ''],
  ['of nobody', 'x'],
  ['beyond what was marked', String(2 * MARK_EVERY)],
  ['beyond every number', 'Infinity'],
  ['below nothing', '-1'],
  ['that was answered before', String(MARK_EVERY / 2)],
])('believes no answer %s', (_name, answer) => {
  const { window } = setUp();
  window.sent(MARK_EVERY);
  window.sent(MARK_EVERY / 2);
  window.answered(String(MARK_EVERY));
  window.answered(answer);
  expect(window.underWay).toBe(MARK_EVERY / 2);
});

it('counts an answer to the last mark for all before it, which a client need not answer', () => {
  const { marks, window } = setUp();
  for (let n = 0; n < 5; n++) window.sent(MARK_EVERY);
  window.sent(1);
  window.mark();
  window.answered(marks.at(-1) ?? '');
  expect(window.underWay).toBe(0);
});
