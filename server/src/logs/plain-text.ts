import type { Line } from './block-codec.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
const COLOURS = /\u001b\[[0-9;:]*m/g;

/** A line of a log without its colours. */
export const plainText = (line: string): string => line.replaceAll(COLOURS, '');

/** Prefix of lines that Signalbox wrote, in plain text. */
const OWN_PREFIX = '[signalbox] ';
/** Output that looks like such a line, or like an escaped one. */
const LOOKS_OWN = /^\\*\[signalbox\]/;
/** Characters that show nothing: a prefix with such characters looks like the real one. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Characters that some programs read as line breaks. */
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** A line of a log as text: with the prefix if Signalbox wrote it, with a backslash if it is output that looks like that. */
export const markedText = ([, text, source]: Line): string => {
  const line = text.replace(OTHER_LINE_ENDS, ' ');
  if (source) return OWN_PREFIX + line;
  return LOOKS_OWN.test(plainText(line).replace(INVISIBLE, '')) ? `\\${line}` : line;
};

/** The text of `markedText` without colours. */
export const rawText = (line: Line): string => plainText(markedText(line));
