import type { HostStats } from '@signalbox/contract';
import type { Cell } from './result-index.ts';

const FIRST_CAPACITY = 8;
const CELL_BITS = 3;
const CELL_MASK = (1 << CELL_BITS) - 1;

/** One result of a host. */
export interface HostCell {
  readonly step: number;
  /** Number of the outcome, from 1. */
  readonly cell: number;
  readonly record: number;
  /** Milliseconds until the result since the step started, or since the previous result of the host if that is later. */
  readonly ms: number;
}

/** Numbers of each result. */
export const CELL_NUMBERS = 3;

/**
 * The results of one host of a run, in order. Each takes three 32-bit numbers: the step with the outcome, the
 * record, and the time.
 */
export class HostEntry {
  readonly host: string;
  /** Counted like Ansible does: changed and ignored results are also ok. */
  stats: HostStats = { ok: 0, changed: 0, failures: 0, ignored: 0, skipped: 0, rescued: 0, unreachable: 0 };
  #cells: Uint32Array;
  #length: number;
  /** Time of the newest result. */
  #last = 0;

  constructor(host: string, cells: Uint32Array = new Uint32Array(FIRST_CAPACITY * CELL_NUMBERS)) {
    this.host = host;
    this.#cells = cells;
    this.#length = 0;
  }

  /** Creates an entry from stored cells. */
  static stored(host: string, stats: HostStats, cells: Uint32Array): HostEntry {
    const entry = new HostEntry(host, cells);
    entry.stats = stats;
    entry.#length = cells.length / CELL_NUMBERS;
    return entry;
  }

  get length(): number {
    return this.#length;
  }

  /** Number of the newest record of the host; 0 without one. */
  get lastRecord(): number {
    return this.#length === 0 ? 0 : (this.#cells[(this.#length - 1) * CELL_NUMBERS + 1] ?? 0);
  }

  /** Milliseconds that all its results took. */
  get ms(): number {
    let ms = 0;
    for (let offset = 2; offset < this.#length * CELL_NUMBERS; offset += CELL_NUMBERS) ms += this.#cells[offset] ?? 0;
    return ms;
  }

  get bytes(): number {
    return this.#cells.byteLength;
  }

  /** The used part of the cells, as it is stored. */
  get cells(): Uint32Array {
    return this.#cells.subarray(0, this.#length * CELL_NUMBERS);
  }

  /** @param started when the step started; undefined if that is unknown */
  add(cell: Pick<HostCell, 'step' | 'cell' | 'record'>, at: number, started: number | undefined): void {
    const offset = this.#length * CELL_NUMBERS;
    if (offset === this.#cells.length) {
      const wider = new Uint32Array(Math.max(FIRST_CAPACITY, this.#length * 2) * CELL_NUMBERS);
      wider.set(this.#cells);
      this.#cells = wider;
    }
    this.#cells[offset] = cell.step * (CELL_MASK + 1) + cell.cell;
    this.#cells[offset + 1] = cell.record;
    this.#cells[offset + 2] = started === undefined ? 0 : Math.max(0, Math.round(at - Math.max(started, this.#last)));
    this.#last = at;
    this.#length += 1;
  }

  /** Counts a result as Ansible does. */
  count(cell: Cell, changed: boolean): void {
    const { stats } = this;
    if (cell === 'failed') stats.failures += 1;
    else if (cell !== 'ok') stats[cell] += 1;
    if (cell === 'ok' || cell === 'changed' || cell === 'ignored') stats.ok += 1;
    if (cell === 'ignored' && changed) stats.changed += 1;
  }

  at(index: number): HostCell {
    const offset = index * CELL_NUMBERS;
    const packed = this.#cells[offset] ?? 0;
    const record = this.#cells[offset + 1] ?? 0;
    return { step: packed >>> CELL_BITS, cell: packed & CELL_MASK, record, ms: this.#cells[offset + 2] ?? 0 };
  }
}
