import type { HostStats } from '@signalbox/contract';
import { CELL_NUMBERS, HostEntry } from './host-entry.ts';
import { type IndexedPlay, type IndexedStep, ResultIndex } from './result-index.ts';

/** Version of the format. An index of another version is built again from the records. */
const VERSION = 2;

type StoredHost = readonly [host: string, stats: HostStats, length: number];

interface Head {
  readonly version: number;
  readonly next: number;
  readonly recap: ResultIndex['recap'] | null;
  readonly plays: readonly IndexedPlay[];
  readonly steps: readonly IndexedStep[];
  readonly bad: ResultIndex['bad'];
  readonly hosts: readonly StoredHost[];
}

/**
 * Stores each number as its difference to the previous one of the same host and kind, all steps first. Such bytes
 * compress well.
 */
const encodeCells = (hosts: readonly HostEntry[], total: number): Uint32Array => {
  const numbers = new Uint32Array(total * CELL_NUMBERS);
  let at = 0;
  for (let kind = 0; kind < CELL_NUMBERS; kind += 1) {
    for (const { cells } of hosts) {
      let before = 0;
      for (let offset = kind; offset < cells.length; offset += CELL_NUMBERS) {
        const number = cells[offset] ?? 0;
        // A negative difference wraps around, and wraps back when it is added.
        numbers[at] = number - before;
        before = number;
        at += 1;
      }
    }
  }
  return numbers;
};

const decodeCells = (numbers: Uint32Array, lengths: readonly number[]): Uint32Array[] => {
  const entries = lengths.map((length) => new Uint32Array(length * CELL_NUMBERS));
  let at = 0;
  for (let kind = 0; kind < CELL_NUMBERS; kind += 1) {
    for (const cells of entries) {
      let before = 0;
      for (let offset = kind; offset < cells.length; offset += CELL_NUMBERS) {
        before = (before + (numbers[at] ?? 0)) >>> 0;
        cells[offset] = before;
        at += 1;
      }
    }
  }
  return entries;
};

/** Encodes an index: the length of the head, the head as JSON, and the cells. */
export const encodeIndex = (index: ResultIndex): Buffer => {
  const total = index.hosts.reduce((sum, { length }) => sum + length, 0);
  const head: Head = {
    version: VERSION,
    next: index.next,
    recap: index.recap ?? null,
    plays: index.plays,
    steps: index.steps,
    bad: index.bad,
    hosts: index.hosts.map(({ host, stats, length }) => [host, stats, length]),
  };
  const text = Buffer.from(JSON.stringify(head), 'utf8');
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  const numbers = encodeCells(index.hosts, total);
  return Buffer.concat([size, text, new Uint8Array(numbers.buffer)]);
};

/** Decodes an index; undefined for another version. */
export const decodeIndex = (bytes: Uint8Array): ResultIndex | undefined => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 4 + buffer.readUInt32LE(0);
  const head = JSON.parse(buffer.toString('utf8', 4, end)) as Head;
  if (head.version !== VERSION) return undefined;
  // A copy is aligned to four bytes.
  const numbers = new Uint32Array(Uint8Array.from(buffer.subarray(end)).buffer);
  const cells = decodeCells(
    numbers,
    head.hosts.map(([, , length]) => length),
  );
  const index = new ResultIndex();
  index.next = head.next;
  index.recap = head.recap ?? undefined;
  for (const play of head.plays) index.addPlay(play);
  for (const step of head.steps) index.addStep(step);
  for (const bad of head.bad) index.bad.push(bad);
  for (const [offset, [host, stats]] of head.hosts.entries()) {
    index.addHost(HostEntry.stored(host, stats, cells[offset] ?? new Uint32Array()));
  }
  return index;
};
