/**
 * Maximum height of an element that every browser lays out correctly, in pixels. Taller logs are scrolled at a scale.
 */
export const MAX_HEIGHT = 8_000_000;

/**
 * Converts between the height of the log and the height of its element. Up to the maximum they are equal; above it, a
 * scroll position of the element stands for a proportional position in the log.
 */
export interface Scale {
  /** Height of the element. */
  readonly height: number;
  /** Position in the log when the element is scrolled to `top`. */
  readonly toLog: (top: number) => number;
  /** Scroll position of the element for a position in the log. */
  readonly toElement: (top: number) => number;
  readonly scaled: boolean;
}

/** The scale for a log and a window of the given heights, both in pixels. */
export const scaleFor = (logHeight: number, viewHeight: number, max = MAX_HEIGHT): Scale => {
  if (logHeight <= max) {
    const end = Math.max(0, logHeight - viewHeight);
    const bound = (top: number) => Math.min(Math.max(0, top), end);
    return { height: logHeight, toLog: bound, toElement: bound, scaled: false };
  }
  const ratio = (logHeight - viewHeight) / (max - viewHeight);
  return {
    height: max,
    toLog: (top) => Math.min(Math.max(0, top), max - viewHeight) * ratio,
    toElement: (top) => Math.min(Math.max(0, top), logHeight - viewHeight) / ratio,
    scaled: true,
  };
};
