import type { HostRecord, HostResult, HostStats, PlayRecord, ResultRecord, StepCounts } from '@signalbox/contract';
import { HostEntry } from './host-entry.ts';

/**
 * The outcomes of a cell: the results, and a failure that was rescued. The position in the list is the stored number;
 * 0 means none.
 */
const CELLS = ['ok', 'changed', 'failed', 'ignored', 'skipped', 'unreachable', 'rescued'] as const;
export type Cell = (typeof CELLS)[number];

/** The stored number of an unreachable host. */
export const UNREACHABLE = CELLS.indexOf('unreachable') + 1;

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
  readonly path?: string | undefined;
  readonly line: number;
  readonly at: number;
  end: number | null;
  readonly counts: Record<Cell, number>;
}

/** A result that failed and was not rescued: the numbers of its record and its host. */
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

/** Maximum number of hosts of a run. Results of further hosts are counted by step only. */
const MAX_HOSTS = 300_000;

/** Approximate size of a play, a step or a host without its texts, in bytes. */
const PLAY_BYTES = 200;
const STEP_BYTES = 300;
const HOST_BYTES = 200;

/** Upper bound for the size of texts in memory, in bytes. */
const bytesOfTexts = (...texts: readonly string[]): number => texts.reduce((sum, text) => sum + 2 * text.length, 0);

/**
 * An index of the results of one run, built from its records in order, that can answer any page of them. Uses twelve
 * bytes per result, up to twice that while it grows, plus the names. A play or step with a number that exists
 * replaces the earlier one, so their count is limited by the numbers.
 */
export class ResultIndex {
  /** Number of the next record to add. */
  next = 1;
  readonly plays: IndexedPlay[] = [];
  readonly steps: IndexedStep[] = [];
  readonly hosts: HostEntry[] = [];
  readonly bad: BadResult[] = [];
  /** Names of the hosts of the newest play, if its runner sent them. Not stored: only a run that continues needs them. */
  playHosts: readonly string[] = [];
  /** The final counts, if they were received. */
  recap: { readonly line: number; readonly at: number } | undefined;
  readonly #hostNumbers = new Map<string, number>();
  readonly #playPositions = new Map<number, number>();
  readonly #stepPositions = new Map<number, number>();
  #textBytes = 0;

  /** Approximate size in bytes. */
  get bytes(): number {
    const results = this.hosts.reduce((sum, host) => sum + host.bytes, 0);
    const parts = this.hosts.length * HOST_BYTES + this.plays.length * PLAY_BYTES + this.steps.length * STEP_BYTES;
    return results + parts + this.bad.length * 32 + this.#textBytes;
  }

  /** Adds the record with number `next`. */
  take(record: ResultRecord): void {
    const number = this.next;
    this.next += 1;
    switch (record.kind) {
      case 'play':
        this.#close(record.at);
        this.#closePlay(record.at);
        this.#takePlay(record);
        return;
      case 'step':
        this.#close(record.at);
        this.addStep({ ...record, end: null, counts: noCounts() });
        this.#countStep(record.play);
        return;
      case 'host':
        this.#takeResult(record, number);
        return;
      case 'stats':
        this.#close(record.at);
        this.#closePlay(record.at);
        this.recap = { line: record.line, at: record.at };
        for (const [host, stats] of Object.entries(record.hosts)) {
          const entry = this.#hostOf(host);
          if (entry) entry.stats = stats;
        }
    }
  }

  addPlay(play: IndexedPlay): void {
    const position = this.#playPositions.get(play.play) ?? this.plays.length;
    const before = this.plays[position];
    if (before) this.#textBytes -= bytesOfTexts(before.name);
    this.#playPositions.set(play.play, position);
    this.plays[position] = play;
    this.#textBytes += bytesOfTexts(play.name);
  }

  addStep(step: IndexedStep): void {
    const position = this.#stepPositions.get(step.step) ?? this.steps.length;
    const before = this.steps[position];
    if (before) this.#textBytes -= bytesOfTexts(before.name, before.action);
    this.#stepPositions.set(step.step, position);
    this.steps[position] = step;
    this.#textBytes += bytesOfTexts(step.name, step.action);
  }

  addHost(entry: HostEntry): void {
    this.#textBytes += bytesOfTexts(entry.host);
    this.hosts.push(entry);
    this.#hostNumbers.set(entry.host, this.hosts.length);
  }

  /** Position of a step in the list, from 0. */
  positionOf(step: number): number | undefined {
    return this.#stepPositions.get(step);
  }

  #takePlay({ names = [], ...record }: PlayRecord): void {
    this.addPlay({ ...record, end: null, steps: 0, bad: 0 });
    this.#textBytes += bytesOfTexts(...names) - bytesOfTexts(...this.playHosts);
    this.playHosts = names;
  }

  #hostOf(host: string): HostEntry | undefined {
    const number = this.#hostNumbers.get(host);
    if (number !== undefined) return this.hosts[number - 1];
    if (this.hosts.length >= MAX_HOSTS) return undefined;
    const entry = new HostEntry(host);
    this.addHost(entry);
    return entry;
  }

  #takeResult(record: HostRecord, number: number): void {
    const entry = this.#hostOf(record.host);
    const cell = cellOf(record);
    const position = this.#stepPositions.get(record.step);
    const step = position === undefined ? undefined : this.steps[position];
    entry?.add({ step: record.step, cell: CELLS.indexOf(cell) + 1, record: number }, record.at, step?.at);
    entry?.count(cell, record.changed === true);
    if (step) step.counts[cell] += 1;
    if (!isBad(record.result) || cell === 'rescued') return;
    this.bad.push({ record: number, host: this.#hostNumbers.get(record.host) ?? 0 });
    const play = this.#playOf(step?.play ?? 0);
    if (play) play.bad += 1;
  }

  #countStep(play: number): void {
    const its = this.#playOf(play);
    if (its) its.steps += 1;
  }

  #playOf(number: number): IndexedPlay | undefined {
    const position = this.#playPositions.get(number);
    return position === undefined ? undefined : this.plays[position];
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

/** Whether a host failed or was unreachable, by its final counts. */
export const hasTrouble = (stats: HostStats): boolean => stats.failures > 0 || stats.unreachable > 0;
