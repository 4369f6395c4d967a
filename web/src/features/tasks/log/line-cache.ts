import type { LineSource } from '@signalbox/contract';

/** A line: when it came, in milliseconds since 1970, its text with colours, and who wrote it when Signalbox did. */
export type LogLine = readonly [time: number, text: string, source?: LineSource];

/** Lines in one block, which is what one call asks for. */
export const BLOCK_LINES = 500;
/** Blocks kept: 60,000 lines, a few tens of megabytes with long lines. */
const MAX_BLOCKS = 120;

const blockOf = (line: number): number => Math.floor((line - 1) / BLOCK_LINES);

/**
 * Lines of a log by number (from 1), in blocks of which the least recently used are forgotten, so that a tab that was
 * scrolled through a million lines holds only a part of them.
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

  /** Keeps lines from a number on. What is known already is left as it is: a stored line never changes. */
  put(first: number, lines: readonly LogLine[]): void {
    lines.forEach((line, at) => {
      const number = first + at;
      const block = this.#touch(blockOf(number));
      block[(number - 1) % BLOCK_LINES] ??= line;
    });
    this.#forget();
  }

  /** Numbers of the blocks that lack a line between two numbers, both included. Marks the others as used. */
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
    // Put last: the order of a map is the order of use here.
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
