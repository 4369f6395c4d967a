import type { Line } from './block-codec.ts';

/** The pattern of a colour code, which begins with ESC. */
export const COLOUR_CODE = String.raw`\u001b\[[0-9;:]*m`;
const COLOURS = new RegExp(COLOUR_CODE, 'g');

/** Removes colours from a log line. */
export const plainText = (line: string): string => line.replaceAll(COLOURS, '');

/** Prefix of lines that Signalbox wrote, in plain text. */
const OWN_PREFIX = '[signalbox] ';
/** Matches output that starts like such a line, or like an escaped one. */
const MARKER_AT_START = /^\\*\[signalbox\]/;
/** Invisible characters. A prefix with such characters is displayed like the real one. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Characters that some programs read as line breaks. */
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/g;

/**
 * Returns a log line as text: with the prefix if Signalbox wrote it, with a backslash if output imitates the prefix.
 */
export const markedText = ([, text, source]: Line): string => {
  const line = text.replace(OTHER_LINE_ENDS, ' ');
  if (source) return OWN_PREFIX + line;
  return MARKER_AT_START.test(plainText(line).replace(INVISIBLE, '')) ? `\\${line}` : line;
};

/** The text of `markedText` without colours. */
export const rawText = (line: Line): string => plainText(markedText(line));
