import { FileTail } from './file-tail.ts';

const CHUNK = 64 * 1024;

/**
 * Reads from `times.log` when lines came and which of them are own lines: written by the runner or the supervisor. A row is an
 * offset in output.log and the time by which it was reached. The row of an own line also has the offset where the line
 * begins. Programs write to output.log only, so they can't add such a row.
 */
export class LineTimes {
  readonly #tail: FileTail;
  readonly #from: number;
  incompleteRow = '';
  #pairs: [offset: number, time: number][] = [];
  #next = 0;
  readOffset = 0;
  latestTime = 0;
  /** Offsets of own lines: the end by the start. */
  readonly ownEnds = new Map<number, number>();

  /** @param from smallest offset that will be requested */
  constructor(path: string, from = 0) {
    this.#tail = new FileTail(path);
    this.#from = from;
  }

  /** Reads until the time of `offset` is known, or the file has no more rows. */
  async readUntil(offset: number): Promise<void> {
    this.#pairs.splice(0, this.#next);
    this.#next = 0;
    while (this.readOffset < offset) {
      const chunk = await this.#tail.read(CHUNK);
      if (chunk.length === 0) return;
      const rows = (this.incompleteRow + chunk.toString('latin1')).split('\n');
      this.incompleteRow = rows.pop() ?? '';
      for (const row of rows) {
        const [end, time, start] = row.split(' ').map(Number);
        // Rows before a truncation are older than the rows that replaced them.
        if (end === undefined || time === undefined || !(end > 0) || !(time > 0)) continue;
        // The clock may have been set back: a later line never gets an earlier time.
        this.latestTime = Math.max(this.latestTime, time);
        this.readOffset = end;
        if (start !== undefined && end > this.#from) this.ownEnds.set(start, end);
        if (end > this.#from) this.#pairs.push([end, this.latestTime]);
      }
    }
  }

  /** Time at which the byte before `offset` existed, in milliseconds since 1970. Offsets must not decrease. */
  timeAt(offset: number): number {
    while (this.#next < this.#pairs.length - 1 && (this.#pairs[this.#next]?.[0] ?? 0) < offset) this.#next += 1;
    return this.#pairs[this.#next]?.[1] ?? Math.max(this.latestTime, Date.now());
  }

  /** Whether the line between two offsets is an own line. Forgets the line, so a second call returns false. */
  takeOwn(start: number, end: number): boolean {
    const ownEnd = this.ownEnds.get(start);
    this.ownEnds.delete(start);
    return ownEnd !== undefined && end <= ownEnd;
  }

  close = () => this.#tail.close();
}
