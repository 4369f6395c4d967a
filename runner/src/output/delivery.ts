import type { ResultRecord } from '@signalbox/contract';
import type { RunnerMessage } from '@signalbox/contract/link';
import type { LogLine } from './line-assembler.ts';
import type { Masker } from './masker.ts';
import { Outbox } from './outbox.ts';
import { lineBatches, linesMessage, recordBatches, recordsMessage, type TimedLine } from './output-messages.ts';
import { BEGINNING, keepNote, type ReadPosition } from './read-position.ts';
import type { RunFiles } from './run-files.ts';
import { closeSources, openSources, positionOf, type Sources } from './sources.ts';

/** Bytes of one read, and of all that is under way for one run. What is beyond stays on the disk. */
const READ_BYTES = 256 * 1024;
const WINDOW_BYTES = 1024 * 1024;

/** Least time between two looks at the output, in milliseconds: lines that come meanwhile travel together. */
const PAUSE_MS = 20;
/** The same after a look at files that could not be read: what they hold is not given up. */
const FAULT_PAUSE_MS = 1_000;

/** Bytes of the log between two positions that are kept. */
const KEEP_EVERY = 1024 * 1024;

/** What the server has of a run. */
export interface StoredPosition {
  next_line: number;
  offset: number;
  next_result: number;
}

export const NOTHING_STORED: StoredPosition = { next_line: 1, offset: 0, next_result: 1 };

export interface DeliveryOptions {
  folder: RunFiles;
  masker: Masker;
  /** What the callback plugin of the run was told, in bytes: far behind it nothing is read. */
  eventsLimit: number;
  send: (message: RunnerMessage) => void;
  /** Called whenever everything up to the announced end is stored. */
  onComplete: (lines: number) => void;
  /** Called when the files cannot be read, once for each reason: reading is tried again. */
  onError: (fault: unknown) => void;
}

/**
 * Brings one run's log and results to the server: each line and record once and in order, however often the link is lost
 * or this process is started again.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #lines = new Outbox<TimedLine>();
  readonly #records = new Outbox<ResultRecord>();
  /** Opened by the first look, which is made again when that fails. */
  #sources: Sources | undefined;
  #stored = NOTHING_STORED;
  #seenRecords = 0;
  #isOpen = false;
  #size: number | undefined;
  #unwritten = '';
  #isRead = false;
  /** Lines that were read, and whose times were not. */
  #untimed: LogLine[] = [];
  #areRecordsRead = false;
  /** Everything before it is stored by the server. */
  #kept: ReadPosition = BEGINNING;
  /** Becomes `#kept` when what came before it is stored. */
  #passed: ReadPosition | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastLook = 0;
  #looking: Promise<void> | undefined;
  #again = false;
  #lastFault = '';
  #isClosed = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Begins, or goes on after a lost link, behind what the server has. */
  async resume(stored: StoredPosition): Promise<void> {
    this.#isOpen = false;
    await this.#looking;
    const fits =
      this.#sources !== undefined &&
      stored.next_line >= this.#lines.oldest &&
      stored.next_line <= this.#lines.next &&
      stored.next_result >= this.#records.oldest &&
      stored.next_result <= this.#records.next;
    if (fits) {
      this.#lines.stored(stored.next_line);
      this.#records.stored(stored.next_result);
    } else {
      // This process did not read what comes next: the file is read again from the last place that was kept, and what is
      // stored is passed over. So lines and results keep their numbers.
      await this.#startOver(stored);
    }
    this.#stored = stored;
    if (this.#isClosed) return;
    this.#isOpen = true;
    for (const { first, items } of this.#lines.batches()) this.#sendLines(first, items);
    for (const { first, items } of this.#records.batches()) this.#sendRecords(first, items);
    this.poll();
  }

  /** The link is lost: nothing is sent until `resume`. */
  pause(): void {
    this.#isOpen = false;
  }

  linesStored(next_line: number): void {
    this.#lines.stored(next_line);
    this.#keep();
    this.#goOn();
  }

  recordsStored(next_result: number): void {
    this.#records.stored(next_result);
    this.#keep();
    this.#goOn();
  }

  /** Nothing will follow byte `size` of output.log but `unwritten`, for which there was no room on the disk. */
  finish(size: number, unwritten = ''): void {
    this.#size = size;
    this.#unwritten = unwritten;
    // Nothing more will come that could travel together: the last look waits for no pause.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastLook = 0;
    this.poll();
  }

  /** Something was stored: there is room for more, or that was all. */
  #goOn(): void {
    // A look that is under way may hold what is not in the boxes yet; it is followed by another.
    if (this.#looking || !this.#completeIfStored()) this.poll();
  }

  #completeIfStored(): boolean {
    const isEmpty = this.#untimed.length === 0 && this.#lines.isEmpty && this.#records.isEmpty;
    const isComplete = this.#isOpen && this.#areRecordsRead && isEmpty;
    if (isComplete) {
      // It is said once, unless the link is lost and this is resumed.
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#again = false;
      this.#options.onComplete(this.#lines.next - 1);
    }
    return isComplete;
  }

  /** Looks for something new, soon. */
  poll(): void {
    if (!this.#isOpen || this.#isClosed) return;
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#lastLook = performance.now();
        this.#looking = this.#deliver()
          .catch((fault: unknown) => this.#failed(fault))
          .then(() => {
            this.#looking = undefined;
            if (this.#again) this.poll();
          });
      },
      Math.max(0, this.#lastLook + PAUSE_MS - performance.now()),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#closeFiles();
  }

  async #closeFiles(): Promise<void> {
    if (this.#sources) await closeSources(this.#sources);
  }

  /** Nobody else may come to look again, least of all after the end of the run. */
  async #failed(fault: unknown): Promise<void> {
    // Where files are short, whoever waits for one holds none: the next look goes on with them where it was.
    await this.#closeFiles().catch(() => undefined);
    this.#lastLook += FAULT_PAUSE_MS;
    this.#again = true;
    if (String(fault) !== this.#lastFault) this.#options.onError(fault);
    this.#lastFault = String(fault);
  }

  async #deliver(): Promise<void> {
    this.#again = false;
    this.#sources ??= this.#open();
    const sources = this.#sources;
    const { times } = sources;
    while (this.#isOpen && !(this.#isRead && this.#untimed.length === 0) && this.#hasRoom()) {
      const isMore = await this.#readLines(sources);
      await times.reach(this.#untimed.at(-1)?.end ?? 0);
      // Lines after the end of the file are the last lines of the runner, not written because the disk is full.
      const isUnwritten = ({ start }: LogLine) => start >= (this.#size ?? Number.POSITIVE_INFINITY);
      this.#putLines(
        this.#untimed.splice(0).map((line) => ({
          ...line,
          time: times.at(line.end),
          isOwn: times.takeOwn(line.start, line.end) || isUnwritten(line),
        })),
      );
      // Before more of the log is read: its marks are kept until their events come.
      await this.#deliverRecords(sources);
      this.#pass(sources);
      if (!isMore) break;
    }
    await this.#deliverRecords(sources);
    this.#lastFault = '';
    this.#completeIfStored();
  }

  /** Reads the next of the log. False when nothing is there by now. */
  async #readLines({ log, assembler }: Sources): Promise<boolean> {
    if (this.#isRead) return false;
    // Before it is read: what is found empty may be full by the time when the end is known.
    const size = this.#size;
    const chunk = await log.read(Math.min(READ_BYTES, (size ?? Number.POSITIVE_INFINITY) - log.position));
    this.#untimed.push(...assembler.push(chunk));
    if (chunk.length === 0 && size !== undefined) {
      this.#isRead = true;
      this.#untimed.push(...assembler.push(Buffer.from(this.#unwritten)), ...assembler.end());
    }
    return chunk.length > 0;
  }

  #hasRoom = (): boolean => this.#lines.bytes < WINDOW_BYTES && this.#records.bytes < WINDOW_BYTES;

  async #deliverRecords({ events }: Sources): Promise<void> {
    while (this.#isOpen && !this.#areRecordsRead && this.#records.bytes < WINDOW_BYTES) {
      const records = await events.read(this.#isRead);
      this.#areRecordsRead = this.#isRead && records.length === 0;
      if (records.length === 0) return;
      this.#putRecords(records);
    }
  }

  /** Notes the place that was come to, unless an earlier one is not stored yet. */
  #pass(sources: Sources): void {
    if (this.#passed) return;
    const position = positionOf(sources);
    if (position.offset - this.#kept.offset >= KEEP_EVERY) this.#passed = position;
  }

  /** Keeps the place that was noted, once all before it is stored. */
  #keep(): void {
    const position = this.#passed;
    if (!position || this.#lines.oldest <= position.line || this.#records.oldest <= position.events.count) return;
    this.#passed = undefined;
    this.#kept = position;
    // The next one does it when this one fails.
    keepNote(this.#options.folder.position, position).catch(() => undefined);
  }

  #putLines(lines: TimedLine[]) {
    const fresh = lines.filter((line) => line.number >= this.#stored.next_line);
    for (const portion of lineBatches(fresh)) {
      const { first, items } = this.#lines.put(portion.items, portion.bytes);
      if (this.#isOpen) this.#sendLines(first, items);
    }
  }

  #putRecords(records: ResultRecord[]) {
    const known = Math.max(0, this.#stored.next_result - 1 - this.#seenRecords);
    this.#seenRecords += records.length;
    for (const portion of recordBatches(records.slice(known))) {
      const { first, items } = this.#records.put(portion.items, portion.bytes);
      if (this.#isOpen) this.#sendRecords(first, items);
    }
  }

  #sendLines(first: number, items: readonly TimedLine[]) {
    this.#options.send(linesMessage(this.#options.folder, first, items));
  }

  #sendRecords(first: number, records: ResultRecord[]) {
    this.#options.send(recordsMessage(this.#options.folder, first, records));
  }

  async #startOver(stored: StoredPosition): Promise<void> {
    await this.#closeFiles();
    this.#sources = undefined;
    this.#passed = undefined;
    this.#isRead = false;
    this.#untimed = [];
    this.#areRecordsRead = false;
    this.#lines.stored(Number.POSITIVE_INFINITY);
    this.#records.stored(Number.POSITIVE_INFINITY);
    this.#lines.startAt(stored.next_line);
    this.#records.startAt(stored.next_result);
  }

  #open(): Sources {
    const { folder, masker, eventsLimit } = this.#options;
    const sources = openSources(folder, masker, this.#stored, eventsLimit);
    this.#kept = positionOf(sources);
    this.#seenRecords = this.#kept.events.count;
    return sources;
  }
}
