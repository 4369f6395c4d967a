import type { Line } from './block-codec.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
const COLOURS = /\u001b\[[0-9;:]*m/g;

/** A line of a log without its colours. */
export const plainText = (line: string): string => line.replaceAll(COLOURS, '');

/** How a line that Signalbox wrote begins in plain text. */
const OWN_PREFIX = '[signalbox] ';
/** Output that could be taken for such a line, or for one that is escaped already. */
const LOOKS_OWN = /^\\*\[signalbox\]/;

/** A line of a log as text, unambiguous because output that begins like an own line gets a backslash before it. */
export const markedText = ([, text, source]: Line): string => {
  if (source) return OWN_PREFIX + text;
  return LOOKS_OWN.test(plainText(text)) ? `\\${text}` : text;
};

/** The same without colours. */
export const rawText = (line: Line): string => plainText(markedText(line));
