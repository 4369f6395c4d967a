import Anser from 'anser';

/** A part of a line in one style. `colour` is one of eight names, `dim`, or undefined. */
export interface Piece {
  readonly text: string;
  readonly colour?: AnsiColour | undefined;
  readonly bold?: boolean | undefined;
}

export type AnsiColour = 'black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white' | 'dim';

const ESC = '\u001b';
/** Escape sequences other than colours: links and titles (OSC), cursor and screen (CSI), character sets, and others. */
const OSC = new RegExp(`${ESC}\\][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)?`, 'g');
const CSI_NOT_SGR = new RegExp(`${ESC}\\[[0-?]*[ -/]*(?!m)[@-~]`, 'g');
const CHARACTER_SET = new RegExp(`${ESC}[()*+][0-9A-Za-z]`, 'g');
const LONE_ESCAPE = new RegExp(`${ESC}(?!\\[[0-?]*m)[@-Z\\\\^_=>a-z0-9]?`, 'g');
// Control characters other than tab that are not part of a sequence have no useful display.
const CONTROL = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f]/g;
const SGR = new RegExp(`${ESC}\\[[0-?]*m`, 'g');

/**
 * The text that a terminal shows for a line that was rewritten with carriage returns: what comes after the last one.
 */
const lastWritten = (line: string): string => {
  const end = line.endsWith('\r') ? line.slice(0, -1) : line;
  return end.includes('\r') ? end.slice(end.lastIndexOf('\r') + 1) : end;
};

/** A line reduced to text and colours. */
export const onlyColours = (line: string): string => {
  const shown = lastWritten(line);
  if (!shown.includes(ESC)) return shown.replace(CONTROL, '');
  return shown
    .replace(OSC, '')
    .replace(CSI_NOT_SGR, '')
    .replace(CHARACTER_SET, '')
    .replace(LONE_ESCAPE, '')
    .replace(CONTROL, '');
};

/** A line as plain text, for copying and searching. */
export const plainText = (line: string): string => onlyColours(line).replace(SGR, '');

const NAMES: Readonly<Record<string, AnsiColour>> = {
  'ansi-black': 'black',
  'ansi-red': 'red',
  'ansi-green': 'green',
  'ansi-yellow': 'yellow',
  'ansi-blue': 'blue',
  'ansi-magenta': 'magenta',
  'ansi-cyan': 'cyan',
  'ansi-white': 'white',
  'ansi-bright-black': 'dim',
};

const colourOf = (name: string | null): AnsiColour | undefined => {
  if (!name) return undefined;
  return NAMES[name] ?? NAMES[name.replace('ansi-bright-', 'ansi-')];
};

/** The parts of a line with their colours. Never HTML: the text is rendered as text. */
export const ansiPieces = (line: string): Piece[] => {
  const clean = onlyColours(line);
  if (!clean.includes(ESC)) return clean === '' ? [] : [{ text: clean }];
  return Anser.ansiToJson(clean, { json: true, use_classes: true, remove_empty: true }).map(
    ({ content, fg, decorations }) => {
      const colour = decorations.includes('dim') ? 'dim' : colourOf(fg);
      return { text: content, colour, bold: decorations.includes('bold') || undefined };
    },
  );
};
