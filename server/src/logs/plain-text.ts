import type { Line } from './block-codec.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
const COLOURS = /\u001b\[[0-9;:]*m/g;

/** A line of a log without its colours. */
export const plainText = (line: string): string => line.replaceAll(COLOURS, '');

/** How a line that Signalbox wrote begins in plain text. */
const OWN_PREFIX = '[signalbox] ';
/** Output that could be taken for such a line, or for one that is escaped already. */
const LOOKS_OWN = /^\\*\[signalbox\]/;

/** A line of a log in plain text: unambiguous, because output that begins like an own line gets a backslash before it. */
export const rawText = ([, text, source]: Line): string => {
  const plain = plainText(text);
  if (source) return OWN_PREFIX + plain;
  return LOOKS_OWN.test(plain) ? `\\${plain}` : plain;
};
