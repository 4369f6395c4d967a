import { FileTail } from './file-tail.ts';

const CHUNK = 64 * 1024;

/**
 * Reads `times.log`: when each part of output.log was written, and which lines are own lines, which the runner or the
 * supervisor wrote. A row is `<end> <time>`: output.log had grown to `end` bytes at `time`, in milliseconds since 1970. The row
 * of an own line is `<end> <time> <start>`. Programs of the run write only to output.log, so they can't forge own lines.
 */
export class LineTimes {
  readonly #tail: FileTail;
  readonly #from: number;
  /** The last row that was read, if its end is not written yet. */
  #incompleteRow = '';
  /** Rows that may still be requested. */
  #pairs: [offset: number, time: number][] = [];
  /** Index of the row of the last request. */
  #next = 0;
  /** Offset in output.log up to which times are known. */
  #readOffset = 0;
  #latestTime = 0;
  /** The end offset of each own line, by its start offset. */
  readonly #ownEnds = new Map<number, number>();

  /** @param from offset in output.log before which no time will be requested */
  constructor(path: string, from = 0) {
    this.#tail = new FileTail(path);
    this.#from = from;
  }

  /** Reads until the time of `offset` is known, or to the end of the file. */
  async readUntil(offset: number): Promise<void> {
    this.#pairs.splice(0, this.#next);
    this.#next = 0;
    while (this.#readOffset < offset) {
      const chunk = await this.#tail.read(CHUNK);
      if (chunk.length === 0) return;
      const rows = (this.#incompleteRow + chunk.toString('latin1')).split('\n');
      this.#incompleteRow = rows.pop() ?? '';
      for (const row of rows) {
        const [end, time, start] = row.split(' ').map(Number);
        // A row that was written incompletely, on a full disk or before a crash, has no valid numbers.
        if (end === undefined || time === undefined || !(end > 0) || !(time > 0)) continue;
        // The clock may have been set back: a later line never gets an earlier time.
        this.#latestTime = Math.max(this.#latestTime, time);
        this.#readOffset = end;
        if (start !== undefined && end > this.#from) this.#ownEnds.set(start, end);
        if (end > this.#from) this.#pairs.push([end, this.#latestTime]);
      }
    }
  }

  /**
   * Time at which output.log had grown to `offset` bytes, in milliseconds since 1970. Offsets must not decrease between
   * calls.
   */
  timeAt(offset: number): number {
    while (this.#next < this.#pairs.length - 1 && (this.#pairs[this.#next]?.[0] ?? 0) < offset) this.#next += 1;
    return this.#pairs[this.#next]?.[1] ?? Math.max(this.#latestTime, Date.now());
  }

  /** Whether the line between two offsets is an own line. Returns true only once for each line. */
  takeOwn(start: number, end: number): boolean {
    const ownEnd = this.#ownEnds.get(start);
    this.#ownEnds.delete(start);
    return ownEnd !== undefined && end <= ownEnd;
  }

  close = () => this.#tail.close();
}
