import { xmlText } from './xml.ts';

export type BadgeStatus = 'success' | 'error' | 'stopped' | 'none';

/** White on each of them has a contrast of at least 4.5:1. */
const COLOURS: Readonly<Record<BadgeStatus, string>> = {
  success: '#1b7d47',
  error: '#cb2d22',
  stopped: '#a35d00',
  none: '#67737f',
};

const PADDING = 8;
const MAX_NAME = 60;

/** The estimated width of a text in pixels. A wide character takes as much as two others. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + ((character.codePointAt(0) ?? 0) > 0x2e7f ? 12 : 6.6), 0);

const shortened = (name: string): string => {
  const characters = [...name];
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join('')}…` : name;
};

/** An image with a name and a status: only shapes and text, with attributes in place of styles. */
export const badgeImage = (name: string, status: BadgeStatus, label: string): string => {
  const left = shortened(name);
  const [first, second] = [widthOf(left) + 2 * PADDING, widthOf(label) + 2 * PADDING];
  const width = Math.ceil(first + second);
  const text = (value: string, x: number, space: number) =>
    `<text x="${x.toFixed(1)}" y="14" textLength="${(space - 2 * PADDING).toFixed(1)}" lengthAdjust="spacingAndGlyphs">${xmlText(value)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${xmlText(`${left}: ${label}`)}">`,
    `<title>${xmlText(`${name}: ${label}`)}</title>`,
    `<rect width="${width}" height="20" rx="3" fill="#2b3640"/>`,
    `<path d="M${first.toFixed(1)} 0H${width - 3}a3 3 0 0 1 3 3V17a3 3 0 0 1-3 3H${first.toFixed(1)}z" fill="${COLOURS[status]}"/>`,
    '<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    text(left, PADDING, first),
    text(label, first + PADDING, second),
    '</g></svg>',
  ].join('');
};
