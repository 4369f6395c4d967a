/** Tallest element that every browser lays out well, in pixels. Taller logs are scrolled at a scale. */
export const MAX_HEIGHT = 8_000_000;

/**
 * Between the height that a log would have and the one that its element has. Up to the limit both are the same; beyond
 * it a position in the element stands for one further down in the log.
 */
export interface Scale {
  /** Height of the element. */
  readonly height: number;
  /** Where the log stands when the element is scrolled to `top`. */
  readonly toLog: (top: number) => number;
  /** Where to scroll the element for a position in the log. */
  readonly toElement: (top: number) => number;
  readonly scaled: boolean;
}

/** The scale for a log of a height in a window of a height, both in pixels. */
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
