/** Most bytes of one line; longer ones are broken into pieces. */
export const MAX_LINE_BYTES = 16 * 1024;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const ESCAPE = 0x1b;

/** How far back from a break an escape sequence that it would tear is looked for, in bytes. */
const LONGEST_SEQUENCE = 64;
const WHOLE_SEQUENCE = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-OQ-WYZ\\`-~])/;

export interface RawLine {
  /** Without the newline. */
  bytes: Buffer;
  /** False for a piece of a broken line, and for a last line that nothing ended. */
  newline: boolean;
  /** Offset behind it in the file. */
  end: number;
}

/**
 * Where to break a line that is too long: never inside a character, an escape sequence or `\r\n`. Looks at nothing but
 * the line's own first bytes, so that whoever starts again at a break breaks the rest alike.
 */
const breakAt = (bytes: Buffer): number => {
  let at = MAX_LINE_BYTES;
  while (at > MAX_LINE_BYTES - 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  const from = at - LONGEST_SEQUENCE;
  const sequence = bytes.subarray(from, at).lastIndexOf(ESCAPE);
  if (sequence !== -1 && !WHOLE_SEQUENCE.test(bytes.toString('latin1', from + sequence, at))) at = from + sequence;
  while (bytes[at - 1] === RETURN && at > 1) at -= 1;
  return at;
};

/** Splits what comes in any portions into lines of bytes. */
export class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #offset: number;
  readonly #longest: number;

  /** Lines longer than `longest` bytes are broken; `offset` is that of the first byte. */
  constructor(longest: number = MAX_LINE_BYTES, offset = 0) {
    this.#longest = longest;
    this.#offset = offset;
  }

  /** The lines are views of `chunk` where they can be: whoever keeps them longer than it is theirs copies them. */
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

  /** The beginning of a line that has not ended. */
  get incomplete(): Buffer {
    return this.#rest;
  }

  /** The last line, when nothing ended it. */
  end(): RawLine[] {
    if (this.#rest.length === 0) return [];
    this.#offset += this.#rest.length;
    const last = { bytes: this.#rest, newline: false, end: this.#offset };
    this.#rest = Buffer.alloc(0);
    return [last];
  }
}
