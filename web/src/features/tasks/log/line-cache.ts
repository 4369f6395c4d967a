import type { LineSource } from '@signalbox/contract';

/** A line: its time in milliseconds since 1970, its text with colours, and its author if Signalbox wrote it. */
export type LogLine = readonly [time: number, text: string, source?: LineSource];

/** Number of lines in a block, which is the unit of a request. */
export const BLOCK_LINES = 500;
/** Number of blocks that are kept: 60,000 lines, a few tens of megabytes if lines are long. */
const MAX_BLOCKS = 120;

const blockOf = (line: number): number => Math.floor((line - 1) / BLOCK_LINES);

/**
 * Lines of a log by number (from 1), stored in blocks. The least recently used blocks are removed, so that scrolling
 * through a million lines keeps only a part of them in memory.
 */
export class LineCache {
  readonly #blocks = new Map<number, (LogLine | undefined)[]>();
  readonly #max: number;

  constructor(max = MAX_BLOCKS) {
    this.#max = max;
  }

  get(line: number): LogLine | undefined {
    return this.#blocks.get(blockOf(line))?.[(line - 1) % BLOCK_LINES];
  }

  /** Stores lines from a number on. Known lines stay unchanged, because stored lines never change. */
  put(first: number, lines: readonly LogLine[]): void {
    lines.forEach((line, at) => {
      const number = first + at;
      const block = this.#touch(blockOf(number));
      block[(number - 1) % BLOCK_LINES] ??= line;
    });
    this.#forget();
  }

  /** Numbers of the blocks that lack a line in a range, both ends included. The other blocks count as used. */
  missing(from: number, to: number): number[] {
    const found: number[] = [];
    for (let index = blockOf(from); index <= blockOf(to); index += 1) {
      const start = Math.max(from, index * BLOCK_LINES + 1);
      const end = Math.min(to, (index + 1) * BLOCK_LINES);
      if (this.#hasAll(index, start, end)) this.#touch(index);
      else found.push(index);
    }
    return found;
  }

  get blocks(): number {
    return this.#blocks.size;
  }

  #hasAll(index: number, from: number, to: number): boolean {
    const block = this.#blocks.get(index);
    if (!block) return false;
    for (let line = from; line <= to; line += 1) if (block[(line - 1) % BLOCK_LINES] === undefined) return false;
    return true;
  }

  #touch(index: number): (LogLine | undefined)[] {
    const block = this.#blocks.get(index) ?? [];
    // Inserted last: the order of the map is the order of use.
    this.#blocks.delete(index);
    this.#blocks.set(index, block);
    return block;
  }

  #forget(): void {
    for (const index of this.#blocks.keys()) {
      if (this.#blocks.size <= this.#max) return;
      this.#blocks.delete(index);
    }
  }
}

/** Number of the first line of a block. */
export const firstOf = (block: number): number => block * BLOCK_LINES + 1;
