import type { HostStats } from '@signalbox/contract';
import type { Cell } from './result-index.ts';

const FIRST_ROOM = 8;
const CELL_BITS = 3;
const CELL_MASK = (1 << CELL_BITS) - 1;

/** What one place of a host's results says. */
export interface HostCell {
  readonly step: number;
  /** Place among the cells, from 1. */
  readonly cell: number;
  readonly record: number;
}

/** The results of one host of a run, in their order: two 32-bit numbers each, the step with the cell, and the record. */
export class HostEntry {
  readonly host: string;
  /** As Ansible counts: what was changed or ignored is also ok. */
  stats: HostStats = { ok: 0, changed: 0, failures: 0, ignored: 0, skipped: 0, rescued: 0, unreachable: 0 };
  #places: Uint32Array;
  #length: number;

  constructor(host: string, places: Uint32Array = new Uint32Array(FIRST_ROOM * 2)) {
    this.host = host;
    this.#places = places;
    this.#length = 0;
  }

  /** An entry that was stored: all of `places` is in use. */
  static stored(host: string, stats: HostStats, places: Uint32Array): HostEntry {
    const entry = new HostEntry(host, places);
    entry.stats = stats;
    entry.#length = places.length / 2;
    return entry;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#places.byteLength;
  }

  /** What is in use, as it is stored. */
  get places(): Uint32Array {
    return this.#places.subarray(0, this.#length * 2);
  }

  add(step: number, cell: number, record: number): void {
    if (this.#length * 2 === this.#places.length) {
      const wider = new Uint32Array(Math.max(FIRST_ROOM, this.#length * 2) * 2);
      wider.set(this.#places);
      this.#places = wider;
    }
    this.#places[this.#length * 2] = step * (CELL_MASK + 1) + cell;
    this.#places[this.#length * 2 + 1] = record;
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

  at(place: number): HostCell {
    const packed = this.#places[place * 2] ?? 0;
    return { step: packed >>> CELL_BITS, cell: packed & CELL_MASK, record: this.#places[place * 2 + 1] ?? 0 };
  }
}
