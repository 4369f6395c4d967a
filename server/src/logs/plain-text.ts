import type { Line } from './block-codec.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
const COLOURS = /\u001b\[[0-9;:]*m/g;

/** A line of a log without its colours. */
export const plainText = (line: string): string => line.replaceAll(COLOURS, '');

/** How a line that Signalbox wrote begins in plain text. */
const OWN_PREFIX = '[signalbox] ';
/** Output that could be taken for such a line, or for one that is escaped already. */
const LOOKS_OWN = /^\\*\[signalbox\]/;
/** Shows nothing, so that what stands behind it seems to begin the line. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Begins a line for some readers of text; a log is stored line by line and shown without them. */
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** A line of a log as text, unambiguous because output that begins like an own line gets a backslash before it. */
export const markedText = ([, text, source]: Line): string => {
  const line = text.replace(OTHER_LINE_ENDS, ' ');
  if (source) return OWN_PREFIX + line;
  return LOOKS_OWN.test(plainText(line).replace(INVISIBLE, '')) ? `\\${line}` : line;
};

/** The same without colours. */
export const rawText = (line: Line): string => plainText(markedText(line));
