/** A line of output as it is stored, with the markers that the callback plugin wrote into it. */
export interface PlainLine {
  text: string;
  /** Numbers of the markers before the first visible character. */
  markersBefore: number[];
  /** Numbers of the markers after it. */
  markersAfter: number[];
  /** True for a truncated line: it may end with the beginning of a secret. */
  isTruncated: boolean;
}

/** Ends a truncated line. Terminals do not show it, and it is not stored. */
export const TRUNCATED = '\x1b_signalbox;torn\x1b\\';

const NO_MARKERS: number[] = [];

// Everything below U+0020 but the tab, and the C1 controls, among them an eight-bit CSI.
const SPECIAL = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/;
const MARKER = /\x1b_signalbox;(\d{1,15})\x1b\\/g;
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\[[0-?]*[ -/]*|[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~]?)/g;
const COLOUR = /^\x1b\[[0-9;:]*m$/;
const CONTROL = /[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f]/g;

/** Removes all occurrences of a character at the end of a text. Takes linear time. */
const withoutLast = (text: string, character: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
};

/** What a terminal shows of a line that was overwritten with carriage returns. */
const lastOverwrite = (text: string): string => {
  const shown = withoutLast(text, '\r');
  return shown.slice(shown.lastIndexOf('\r') + 1);
};

const withoutSequences = (text: string) =>
  text
    .replace(SEQUENCE, (sequence) => (COLOUR.test(sequence) ? sequence : ''))
    // Without this, an escape character without a sequence would reach the page.
    .replace(/\x1b(?!\[[0-9;:]*m)/g, '')
    .replace(CONTROL, '');

/**
 * Converts a raw line to what is stored: invalid UTF-8 becomes U+FFFD, `\r\n` ends a line, an overwritten line keeps its last
 * content, colours stay, and all other control characters and sequences are removed (among them NUL, which PostgreSQL does not
 * store).
 */
export const plainLine = (bytes: Buffer): PlainLine => {
  const raw = bytes.toString('utf8');
  if (!SPECIAL.test(raw)) return { text: raw, markersBefore: NO_MARKERS, markersAfter: NO_MARKERS, isTruncated: false };
  const markersBefore: number[] = [];
  const markersAfter: number[] = [];
  // Each part of the line is checked once, because a playbook could print many markers.
  let [seen, isBefore] = [0, true];
  const unmarked = raw.replace(MARKER, (marker: string, number: string, at: number) => {
    isBefore &&= isBlank(withoutSequences(raw.slice(seen, at)));
    seen = at + marker.length;
    (isBefore ? markersBefore : markersAfter).push(Number(number));
    return '';
  });
  const text = withoutSequences(lastOverwrite(unmarked));
  const isTruncated = raw.endsWith(TRUNCATED);
  // A truncated character is removed too.
  return { text: isTruncated ? withoutLast(text, '\ufffd') : text, markersBefore, markersAfter, isTruncated };
};

const ESCAPE = 0x1b;
const FIRST_MARKERS = /^(?:\x1b_signalbox;\d{1,15}\x1b\\)+/;

/** Numbers of the markers at the beginning of a raw line. */
export const firstMarkers = (bytes: Buffer): number[] => {
  if (bytes[0] !== ESCAPE) return NO_MARKERS;
  const markers = FIRST_MARKERS.exec(bytes.toString('latin1'))?.[0] ?? '';
  return [...markers.matchAll(MARKER)].map((match) => Number(match[1]));
};

/** The text without markers of the callback plugin. */
export const withoutMarkers = (text: string): string => text.replace(MARKER, '');

/** The text without colours. */
export const withoutColours = (text: string): string => text.replace(/\x1b\[[0-9;:]*m/g, '');

/** Whether a line shows nothing. */
export const isBlank = (text: string): boolean => withoutColours(text).trim() === '';

/** The text without markers of the callback plugin at its end. */
export const withoutLastMarkers = (text: string): string => text.replace(/(?:\x1b_signalbox;\d{1,15}\x1b\\)+$/, '');
