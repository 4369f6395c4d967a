/** Maximum bytes of one line; longer lines are broken into pieces. */
export const MAX_LINE_BYTES = 16 * 1024;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const ESCAPE = 0x1b;

/** Number of bytes before a break that are searched for an escape sequence, which must not be split. */
const MAX_SEQUENCE_BYTES = 64;
const WHOLE_SEQUENCE = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-OQ-WYZ\\`-~])/;

export interface RawLine {
  /** Without the newline. */
  bytes: Buffer;
  /** False for a piece of a broken line, and for a last line without a newline. */
  newline: boolean;
  /** Offset after the line in the file. */
  end: number;
}

/**
 * Where to break a line that is too long: never inside a character, an escape sequence or `\r\n`. Depends only on the
 * first bytes of the line, so that a reader that starts again at a break finds the same breaks.
 */
const breakAt = (bytes: Buffer): number => {
  let at = MAX_LINE_BYTES;
  while (at > MAX_LINE_BYTES - 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  const from = at - MAX_SEQUENCE_BYTES;
  const sequence = bytes.subarray(from, at).lastIndexOf(ESCAPE);
  if (sequence !== -1 && !WHOLE_SEQUENCE.test(bytes.toString('latin1', from + sequence, at))) at = from + sequence;
  while (bytes[at - 1] === RETURN && at > 1) at -= 1;
  return at;
};

/** Splits chunks of any size into lines of bytes. */
export class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #offset: number;
  readonly #longest: number;

  /** Lines longer than `longest` bytes are broken; `offset` is that of the first byte. */
  constructor(longest: number = MAX_LINE_BYTES, offset = 0) {
    this.#longest = longest;
    this.#offset = offset;
  }

  /** The lines are views of `chunk` where possible: a caller that keeps them longer than the chunk must copy them. */
  push(chunk: Buffer): RawLine[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const lines: RawLine[] = [];
    let start = 0;
    const take = (length: number, newline: boolean) => {
      const taken = length + (newline ? 1 : 0);
      this.#offset += taken;
      lines.push({ bytes: bytes.subarray(start, start + length), newline, end: this.#offset });
      start += taken;
    };
    let newline = bytes.indexOf(NEWLINE);
    while (start < bytes.length) {
      if (newline !== -1 && newline - start <= this.#longest) {
        take(newline - start, true);
        newline = bytes.indexOf(NEWLINE, start);
      } else if (bytes.length - start > this.#longest) take(breakAt(bytes.subarray(start)), false);
      else break;
    }
    this.#rest = Buffer.from(bytes.subarray(start));
    return lines;
  }

  /** The beginning of an incomplete line. */
  get incomplete(): Buffer {
    return this.#rest;
  }

  /** The last line, if it has no newline. */
  end(): RawLine[] {
    if (this.#rest.length === 0) return [];
    this.#offset += this.#rest.length;
    const last = { bytes: this.#rest, newline: false, end: this.#offset };
    this.#rest = Buffer.alloc(0);
    return [last];
  }
}
