import type { HostRecord, HostResult, HostStats, ResultRecord, StepCounts } from '@signalbox/contract';
import { HostEntry } from './host-entry.ts';

/** What a cell can be: the results, and a failure that was rescued. The place in the list is the stored number, 0 is none. */
const CELLS = ['ok', 'changed', 'failed', 'ignored', 'skipped', 'unreachable', 'rescued'] as const;
export type Cell = (typeof CELLS)[number];

export interface IndexedPlay {
  readonly play: number;
  readonly name: string;
  readonly line: number;
  readonly at: number;
  readonly hosts: number;
  end: number | null;
  steps: number;
  bad: number;
}

export interface IndexedStep {
  readonly step: number;
  readonly play: number;
  readonly name: string;
  readonly action: string;
  readonly handler: boolean;
  readonly line: number;
  readonly at: number;
  end: number | null;
  readonly counts: Record<Cell, number>;
}

/** A result that failed and was not rescued: the number of its record, and of its host. */
export interface BadResult {
  readonly record: number;
  readonly host: number;
}

const cellOf = ({ result, rescued }: HostRecord): Cell => (result === 'failed' && rescued ? 'rescued' : result);

const isBad = (result: HostResult): boolean => result === 'failed' || result === 'unreachable';

const noCounts = (): StepCounts => ({
  ok: 0,
  changed: 0,
  failed: 0,
  ignored: 0,
  skipped: 0,
  unreachable: 0,
  rescued: 0,
});

/**
 * Where the results of one run are, and how many of each kind: built from its records one after another, and enough to
 * answer any page of them. It holds eight bytes for each result, up to twice that while it grows, beside the names.
 */
export class ResultIndex {
  /** Number of the first record that was not taken in. */
  next = 1;
  readonly plays: IndexedPlay[] = [];
  readonly steps: IndexedStep[] = [];
  readonly hosts: HostEntry[] = [];
  readonly bad: BadResult[] = [];
  /** The final counts, once they came. */
  recap: { readonly line: number; readonly at: number } | undefined;
  readonly #hostNumbers = new Map<string, number>();
  readonly #stepPlaces = new Map<number, number>();

  /** Bytes that it holds, about. */
  get bytes(): number {
    const results = this.hosts.reduce((sum, host) => sum + host.bytes, 0);
    return results + this.hosts.length * 200 + this.steps.length * 300 + this.bad.length * 32;
  }

  /** Takes in the record with number `next`. */
  take(record: ResultRecord): void {
    const number = this.next;
    this.next += 1;
    switch (record.kind) {
      case 'play':
        this.#close(record.at);
        this.#closePlay(record.at);
        this.plays.push({ ...record, end: null, steps: 0, bad: 0 });
        return;
      case 'step':
        this.#close(record.at);
        this.addStep({ ...record, end: null, counts: noCounts() });
        this.#playOf(record.play)?.forEach((play) => {
          play.steps += 1;
        });
        return;
      case 'host':
        this.#takeResult(record, number);
        return;
      case 'stats':
        this.#close(record.at);
        this.#closePlay(record.at);
        this.recap = { line: record.line, at: record.at };
        for (const [host, stats] of Object.entries(record.hosts)) this.hostOf(host).stats = stats;
    }
  }

  addStep(step: IndexedStep): void {
    this.#stepPlaces.set(step.step, this.steps.length);
    this.steps.push(step);
  }

  addHost(entry: HostEntry): void {
    this.hosts.push(entry);
    this.#hostNumbers.set(entry.host, this.hosts.length);
  }

  hostOf(host: string): HostEntry {
    const number = this.#hostNumbers.get(host);
    const known = number === undefined ? undefined : this.hosts[number - 1];
    if (known) return known;
    const entry = new HostEntry(host);
    this.addHost(entry);
    return entry;
  }

  /** Place of a step among all, from 0. */
  placeOf(step: number): number | undefined {
    return this.#stepPlaces.get(step);
  }

  #takeResult(record: HostRecord, number: number): void {
    const entry = this.hostOf(record.host);
    const cell = cellOf(record);
    entry.add(record.step, CELLS.indexOf(cell) + 1, number);
    entry.count(cell, record.changed === true);
    const place = this.#stepPlaces.get(record.step);
    const step = place === undefined ? undefined : this.steps[place];
    if (step) step.counts[cell] += 1;
    if (!isBad(record.result) || cell === 'rescued') return;
    this.bad.push({ record: number, host: this.#hostNumbers.get(record.host) ?? 0 });
    for (const play of this.#playOf(step?.play ?? 0) ?? []) play.bad += 1;
  }

  /** The play as a list of one, the newest first looked at: plays come in their order. */
  #playOf(number: number): IndexedPlay[] | undefined {
    const play = this.plays.findLast((one) => one.play === number);
    return play ? [play] : undefined;
  }

  #close(at: number): void {
    const last = this.steps.at(-1);
    if (last) last.end ??= at;
  }

  #closePlay(at: number): void {
    const last = this.plays.at(-1);
    if (last) last.end ??= at;
  }
}

/** Whether something is left to be done on a host, by the counts of the recap. */
export const hasTrouble = (stats: HostStats): boolean => stats.failures > 0 || stats.unreachable > 0;
