import { closeSync, fstatSync, openSync, readSync, statSync, truncateSync, writeSync } from 'node:fs';
import type { RunFolder } from './run-folder.ts';

const NEWLINE = 0x0a;

/**
 * The runner's own lines in a run's log: before the keeper has the file, and one at the very end. Synchronous, because
 * the lines are few and their order is what counts.
 */
export class RunLog {
  readonly #output: number;
  readonly #times: number;
  #size: number;

  constructor(folder: RunFolder) {
    this.#output = openSync(folder.output, 'a+', 0o600);
    this.#times = openSync(folder.times, 'a', 0o600);
    this.#size = fstatSync(this.#output).size;
  }

  get size() {
    return this.#size;
  }

  write(data: string | Buffer): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    writeSync(this.#times, `${this.#size} ${Date.now()}\n`);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#output, bytes, written);
  }

  /** Writes one line, after ending an unfinished one. */
  line(text: string): void {
    this.write(this.#endsInLine() ? `${text}\n` : `\n${text}\n`);
  }

  close(): void {
    closeSync(this.#output);
    closeSync(this.#times);
  }

  #endsInLine(): boolean {
    if (this.#size === 0) return true;
    const last = Buffer.alloc(1);
    readSync(this.#output, last, 0, 1, this.#size - 1);
    return last[0] === NEWLINE;
  }
}

/** Bytes of a log, also when it cannot be written. */
export const sizeOfLog = (folder: RunFolder): number => {
  try {
    return statSync(folder.output).size;
  } catch {
    return 0;
  }
};

/** What would have been written behind byte `bytes` to end a log with `last`. */
export const lastLine = (folder: RunFolder, bytes: number, last: string | undefined): string => {
  if (last === undefined) return '';
  const end = Buffer.alloc(1);
  try {
    const output = openSync(folder.output, 'r');
    readSync(output, end, 0, 1, Math.max(0, bytes - 1));
    closeSync(output);
  } catch {
    end[0] = NEWLINE;
  }
  return bytes === 0 || end[0] === NEWLINE ? `${last}\n` : `\n${last}\n`;
};

/** Ends a log at `bytes` with `last`: the same bytes however often it is done. Answers the size. */
export const sealLog = (folder: RunFolder, bytes: number, last: string | undefined): number => {
  const log = new RunLog(folder);
  log.close();
  if (log.size > bytes) truncateSync(folder.output, bytes);
  const sealed = new RunLog(folder);
  if (last !== undefined) sealed.line(last);
  sealed.close();
  return sealed.size;
};
