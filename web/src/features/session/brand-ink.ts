const DARK = '#000000';
const LIGHT = '#ffffff';

/** Relative luminance of a colour such as `#1a73e8`, from 0 to 1, as defined by WCAG. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Black or white, whichever has the higher contrast on a colour. The contrast is at least 4.5:1. */
export const inkOn = (colour: string): string => {
  const ground = luminance(colour);
  return 1.05 / (ground + 0.05) >= (ground + 0.05) / 0.05 ? LIGHT : DARK;
};
