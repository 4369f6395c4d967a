import { describe, expect, it } from 'vitest';
import { afterScroll, FOLLOWING, newLines } from './follow.ts';

describe('following the end of the log', () => {
  it('continues while the view stays at the end', () => {
    expect(afterScroll(FOLLOWING, true, 10)).toBe(FOLLOWING);
    expect(newLines(FOLLOWING, 10)).toBe(0);
  });

  it('stops when the user leaves the end, and counts new lines from there', () => {
    const left = afterScroll(FOLLOWING, false, 100);
    expect(left).toEqual({ following: false, seen: 100 });
    expect(newLines(left, 100)).toBe(0);
    expect(newLines(left, 128)).toBe(28);
  });

  it('keeps counting from the same line while the user scrolls', () => {
    const left = afterScroll(FOLLOWING, false, 100);
    expect(afterScroll(left, false, 500)).toBe(left);
    expect(newLines(left, 500)).toBe(400);
  });

  it('starts again when the user returns to the end', () => {
    const left = afterScroll(FOLLOWING, false, 100);
    expect(afterScroll(left, true, 500)).toBe(FOLLOWING);
  });
});
