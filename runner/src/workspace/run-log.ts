import { closeSync, fstatSync, openSync, readSync, statSync, truncateSync, writeSync } from 'node:fs';
import { TRUNCATED, withoutLastMarkers, withoutMarkers } from '../output/plain-text.ts';

/** The files of a log. */
export interface LogFiles {
  /** Path of the output. */
  readonly output: string;
  /** Path of the file with the times of the output. */
  readonly times: string;
}

/** How much of the end of longer output is kept, in bytes. */
const KEPT_END = 64 * 1024;

/** How much of a log is read to find out whether its last line has ended, in bytes. */
const TAIL_BYTES = 256;

const NEWLINE = 0x0a;

/**
 * Cleans a line of the runner, which may quote foreign text such as a commit message. Removes carriage returns, which
 * could overwrite the beginning of the line, markers of the callback plugin, and bidirectional control characters.
 */
const ownText = (line: string): string =>
  withoutMarkers(line)
    .replace(/\r/g, ' ')
    .replace(/\p{Bidi_Control}/gu, '');

/**
 * Writes the lines of the runner into the log of a run: before the supervisor has the file, and at the end. Synchronous,
 * because the lines are few and must be in order.
 */
export class RunLog {
  readonly #output: number;
  readonly #times: number;
  #size: number;
  #isOpen = true;
  /** How many more bytes of programs are kept as they come. */
  #free: number;
  #end = Buffer.alloc(0);
  #skipped = 0;

  /** @param limit maximum bytes that programs write. Of what is longer, the end is kept in addition */
  constructor(folder: LogFiles, limit = Number.POSITIVE_INFINITY) {
    this.#free = limit;
    this.#output = openSync(folder.output, 'a+', 0o600);
    try {
      this.#times = openSync(folder.times, 'a', 0o600);
    } catch (error) {
      closeSync(this.#output);
      throw error;
    }
    this.#size = fstatSync(this.#output).size;
  }

  /** Writes lines and closes the log, also after an error. @returns the size of the log in bytes */
  static written(folder: LogFiles, lines: readonly string[]): number {
    const log = new RunLog(folder);
    try {
      for (const line of lines) log.line(line);
      return log.size;
    } finally {
      log.close();
    }
  }

  get size() {
    return this.#size;
  }

  /** Writes output of a program. */
  write(data: string | Buffer): void {
    const bytes = Buffer.from(data);
    const now = bytes.subarray(0, this.#free);
    this.#free -= now.length;
    this.#write(now);
    if (now.length === bytes.length) return;
    const end = Buffer.concat([this.#end, bytes.subarray(now.length)]);
    this.#end = end.subarray(-KEPT_END);
    this.#skipped += end.length - this.#end.length;
  }

  /** Writes the end of output that was longer than its limit, from the start of a line. */
  #writeEnd(): void {
    const [end, skipped] = [this.#end, this.#skipped];
    if (end.length === 0) return;
    this.#end = Buffer.alloc(0);
    this.#skipped = 0;
    const start = skipped === 0 ? 0 : end.indexOf(NEWLINE) + 1;
    if (skipped > 0) this.#writeLine(`The output is too long: ${skipped + start} bytes are not kept.`);
    this.#write(end.subarray(start));
  }

  /** @param ownStart offset where the line begins, if the runner wrote it */
  #write(bytes: Buffer, ownStart?: number): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    writeSync(this.#times, `${this.#size} ${Date.now()}${ownStart === undefined ? '' : ` ${ownStart}`}\n`);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#output, bytes, written);
  }

  /**
   * Writes a line of the runner, after ending an unfinished one. Further lines of the text, such as those of a commit
   * message, count as output.
   */
  line(text: string): void {
    this.#writeEnd();
    this.#writeLine(text);
  }

  #writeLine(text: string): void {
    const begun = this.#lineStart();
    if (begun === undefined) this.#write(Buffer.from(`${TRUNCATED}\n`));
    const end = text.indexOf('\n');
    const first = end === -1 ? text : text.slice(0, end);
    this.#write(Buffer.from(`${ownText(first)}\n`), begun ?? this.#size);
    if (end !== -1) this.#write(Buffer.from(`${text.slice(end + 1)}\n`));
  }

  /** Closes the files. Further calls do nothing. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.#writeEnd();
    } finally {
      closeSync(this.#output);
      closeSync(this.#times);
    }
  }

  /**
   * Offset where the next line begins: after the last line break, and before markers of the callback plugin, which are
   * not visible. Undefined if the last line is unfinished.
   */
  #lineStart(): number | undefined {
    const from = Math.max(0, this.#size - TAIL_BYTES);
    const tail = Buffer.alloc(this.#size - from);
    readSync(this.#output, tail, 0, tail.length, from);
    const shown = withoutLastMarkers(tail.toString('latin1'));
    if (shown === '') return from === 0 ? 0 : undefined;
    return shown.endsWith('\n') ? from + shown.length : undefined;
  }
}

/** The size of a log in bytes; 0 if it cannot be read. */
export const sizeOfLog = (folder: LogFiles): number => {
  try {
    return statSync(folder.output).size;
  } catch {
    return 0;
  }
};

/** What `closeLog` would have written after byte `bytes`. */
export const missingEnd = (folder: LogFiles, bytes: number, last: readonly string[]): string => {
  if (last.length === 0) return '';
  const end = Buffer.alloc(1);
  try {
    const output = openSync(folder.output, 'r');
    try {
      readSync(output, end, 0, 1, Math.max(0, bytes - 1));
    } finally {
      closeSync(output);
    }
  } catch {
    end[0] = NEWLINE;
  }
  const text = last.map((line) => `${ownText(line).replaceAll('\n', ' ')}\n`).join('');
  return bytes === 0 || end[0] === NEWLINE ? text : `${TRUNCATED}\n${text}`;
};

/** Ends a log at `bytes` with some lines. Repeating it gives the same content. @returns the size in bytes */
export const closeLog = (folder: LogFiles, bytes: number, last: readonly string[]): number => {
  if (RunLog.written(folder, []) > bytes) truncateSync(folder.output, bytes);
  return RunLog.written(folder, last);
};
