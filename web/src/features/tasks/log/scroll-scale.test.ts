import { describe, expect, it } from 'vitest';
import { MAX_HEIGHT, scaleFor } from './scroll-scale.ts';

describe('the scroll scale', () => {
  it('is 1 for a log that fits into an element', () => {
    const scale = scaleFor(4_000_000, 600);
    expect(scale).toMatchObject({ height: 4_000_000, scaled: false });
    for (const top of [0, 1, 12_345, 3_999_400]) {
      expect(scale.toLog(top)).toBe(top);
      expect(scale.toElement(top)).toBe(top);
    }
  });

  it('does not scroll a log that is shorter than the view', () => {
    const scale = scaleFor(100, 600);
    expect(scale.toLog(50)).toBe(0);
    expect(scale.toElement(999)).toBe(0);
  });

  it.each([8_000_001, 20_000_000, 400_000_000])('reaches both ends of a log %i pixels high', (height) => {
    const scale = scaleFor(height, 600);
    expect(scale).toMatchObject({ height: MAX_HEIGHT, scaled: true });
    expect(scale.toLog(0)).toBe(0);
    expect(scale.toLog(MAX_HEIGHT - 600)).toBeCloseTo(height - 600, 3);
    expect(scale.toElement(height - 600)).toBeCloseTo(MAX_HEIGHT - 600, 3);
  });

  it('converts a position to the element and back without changing it', () => {
    const scale = scaleFor(20_000_000, 600);
    for (const top of [0, 20, 1_234_560, 19_999_400]) expect(scale.toLog(scale.toElement(top))).toBeCloseTo(top, 3);
  });

  it('returns a position inside the log for any scroll position of the element', () => {
    const scale = scaleFor(20_000_000, 600);
    expect(scale.toLog(-50)).toBe(0);
    expect(scale.toLog(MAX_HEIGHT * 2)).toBeCloseTo(20_000_000 - 600, 3);
    expect(scale.toElement(-50)).toBe(0);
  });
});
