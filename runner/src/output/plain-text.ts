/** What one raw line becomes, and the step marks that the callback plugin left in it. */
export interface PlainLine {
  text: string;
  /** Numbers of the marks that stand before the first visible character. */
  marksBefore: number[];
  /** Numbers of the marks behind it. */
  marksAfter: number[];
}

const NO_MARKS: number[] = [];

// Everything below U+0020 but the tab, and the C1 controls, among them an eight-bit CSI.
const SPECIAL = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/;
const MARK = /\x1b_signalbox;(\d{1,15})\x1b\\/g;
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\[[0-?]*[ -/]*|[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~]?)/g;
const COLOUR = /^\x1b\[[0-9;:]*m$/;
const CONTROL = /[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f]/g;

/** What a terminal would still show of a line that was written over with bare carriage returns. */
const lastOverwrite = (text: string): string => {
  const shown = text.replace(/\r+$/, '');
  return shown.slice(shown.lastIndexOf('\r') + 1);
};

const withoutSequences = (text: string) =>
  text
    .replace(SEQUENCE, (sequence) => (COLOUR.test(sequence) ? sequence : ''))
    // An escape that begins no sequence would otherwise reach the page.
    .replace(/\x1b(?!\[[0-9;:]*m)/g, '')
    .replace(CONTROL, '');

/**
 * Makes of a raw line what is stored: invalid UTF-8 becomes U+FFFD, `\r\n` a line end, of a line that was written over
 * only what stands at the end is kept, colours stay, all other control characters and sequences go (NUL among them,
 * which PostgreSQL does not store).
 */
export const plainLine = (bytes: Buffer): PlainLine => {
  const raw = bytes.toString('utf8');
  if (!SPECIAL.test(raw)) return { text: raw, marksBefore: NO_MARKS, marksAfter: NO_MARKS };
  const marksBefore: number[] = [];
  const marksAfter: number[] = [];
  const unmarked = raw.replace(MARK, (_, number: string, at: number) => {
    const before = isBlank(withoutSequences(raw.slice(0, at).replace(MARK, '')));
    (before ? marksBefore : marksAfter).push(Number(number));
    return '';
  });
  return { text: withoutSequences(lastOverwrite(unmarked)), marksBefore, marksAfter };
};

/** The text alone, without its colours. */
export const withoutColours = (text: string): string => text.replace(/\x1b\[[0-9;:]*m/g, '');

/** True for a line that shows nothing. */
export const isBlank = (text: string): boolean => withoutColours(text).trim() === '';

/** The text without the marks of the callback plugin at its end. */
export const withoutLastMarks = (text: string): string => text.replace(/(?:\x1b_signalbox;\d{1,15}\x1b\\)+$/, '');
