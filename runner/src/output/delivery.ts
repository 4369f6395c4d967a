import type { ResultRecord } from '@signalbox/contract';
import type { RunnerMessage } from '@signalbox/contract/link';
import type { LogLine } from './line-assembler.ts';
import type { Masker } from './masker.ts';
import { Outbox } from './outbox.ts';
import { lineBatches, linesMessage, recordBatches, recordsMessage, type TimedLine } from './output-messages.ts';
import type { PollPace } from './poll-pace.ts';
import { BEGINNING, type ReadPosition, saveJson } from './read-position.ts';
import type { RunFiles } from './run-files.ts';
import { closeSources, openSources, positionOf, type Sources } from './sources.ts';

/** Maximum number of bytes of one read. */
const READ_BYTES = 256 * 1024;
/** Bytes that are sent and not yet stored, for one run, at which reading pauses. The rest stays on the disk. */
const WINDOW_BYTES = 1024 * 1024;

/** Minimum time between two polls of the output, in milliseconds. Lines of one interval are sent together. */
const POLL_MS = 20;
/** Additional time before the next poll after the files could not be read, in milliseconds. */
const RETRY_MS = 1_000;

/** Minimum distance of two saved positions in the log, in bytes. */
const SAVE_EVERY_BYTES = 1024 * 1024;

/** The position up to which the server has stored a run. */
export interface StoredPosition {
  next_line: number;
  offset: number;
  next_result: number;
}

export const NOTHING_STORED: StoredPosition = { next_line: 1, offset: 0, next_result: 1 };

export interface DeliveryOptions {
  folder: RunFiles;
  masker: Masker;
  /** The size limit of the events file, in bytes. Events far beyond it are not read. */
  eventsLimit: number;
  /** Shared by all runs of the runner. */
  pace: PollPace;
  send: (message: RunnerMessage) => void;
  /** Called when everything up to the end of the run is stored. */
  onComplete: (lines: number) => void;
  /** Called when the files cannot be read, once for each reason. Reading is tried again. */
  onError: (error: unknown) => void;
}

/**
 * Sends the log and the results of one run to the server. The server stores each line and each record once and in order, even
 * if the link is lost or the runner is restarted.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #lines = new Outbox<TimedLine>();
  readonly #records = new Outbox<ResultRecord>();
  /** The open files. The first poll opens them; if that fails, the next poll tries again. */
  #sources: Sources | undefined;
  #stored = NOTHING_STORED;
  #seenRecords = 0;
  /** Whether the server has reported its position on the current link, so that lines and records may be sent. */
  #isOpen = false;
  /** The final size of output.log in bytes; undefined while the run is not finished. */
  #size: number | undefined;
  /** The end of the log that the disk had no space for. */
  #missing = '';
  /** Whether the log was read to its end. */
  #isLogRead = false;
  /** Lines that were read, but whose times were not read yet. */
  #untimed: LogLine[] = [];
  #areRecordsRead = false;
  /** The last saved position. The server has stored everything before it. */
  #savedPosition: ReadPosition = BEGINNING;
  /** The next position to save: saved as soon as the server has stored everything before it. */
  #notedPosition: ReadPosition | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastPoll = 0;
  #polling: Promise<void> | undefined;
  #isPollRequested = false;
  #lastError = '';
  #isClosed = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Starts to send on a new link, from the position that the server reports. */
  async resume(stored: StoredPosition): Promise<void> {
    this.#isOpen = false;
    await this.#polling;
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
      // The outbox does not contain the next line or record. Read the files again from the last saved position, and skip
      // what is stored, so that lines and records keep their numbers.
      await this.#startOver(stored);
    }
    this.#stored = stored;
    if (this.#isClosed) return;
    this.#isOpen = true;
    for (const { first, items } of this.#lines.batches()) this.#sendLines(first, items);
    for (const { first, items } of this.#records.batches()) this.#sendRecords(first, items);
    this.poll();
  }

  /** Stops sending when the link is lost, until `resume` is called. */
  pause(): void {
    this.#isOpen = false;
  }

  linesStored(next_line: number): void {
    this.#lines.stored(next_line);
    this.#savePosition();
    this.#continue();
  }

  recordsStored(next_result: number): void {
    this.#records.stored(next_result);
    this.#savePosition();
    this.#continue();
  }

  /**
   * Called when the run has ended and its log is complete.
   * @param size size of output.log, in bytes
   * @param missing last lines that could not be appended to output.log because the disk is full
   */
  finish(size: number, missing = ''): void {
    this.#size = size;
    this.#missing = missing;
    // The interval exists to collect more lines. No more will come, so the last poll starts at once.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastPoll = 0;
    this.poll();
  }

  /** Continues after the server has stored something. */
  #continue(): void {
    // A poll in progress may have read items that are not in an outbox yet, so request another poll after it.
    if (this.#polling || !this.#completeIfStored()) this.poll();
  }

  #completeIfStored(): boolean {
    const isEmpty = this.#untimed.length === 0 && this.#lines.isEmpty && this.#records.isEmpty;
    const isComplete = this.#isOpen && this.#areRecordsRead && isEmpty;
    if (isComplete) {
      // Another poll would report the end a second time on the same link.
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#isPollRequested = false;
      this.#options.onComplete(this.#lines.next - 1);
    }
    return isComplete;
  }

  /** Schedules a check for new output, at most one per interval. */
  poll(): void {
    if (!this.#isOpen || this.#isClosed) return;
    if (this.#polling) {
      this.#isPollRequested = true;
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#lastPoll = performance.now();
      this.#polling = this.#deliver()
        .catch((error: unknown) => this.#failed(error))
        .then(() => {
          this.#polling = undefined;
          if (this.#isPollRequested) this.poll();
        });
    }, this.#delay());
  }

  /** Milliseconds until the next poll. */
  #delay(): number {
    const now = performance.now();
    const earliest = Math.max(now, this.#lastPoll + POLL_MS);
    // The last lines do not wait for other runs.
    return (this.#size === undefined ? this.#options.pace.reserve(earliest) : earliest) - now;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#polling;
    await this.#closeFiles();
  }

  async #closeFiles(): Promise<void> {
    if (this.#sources) await closeSources(this.#sources);
  }

  /** Requests another poll, because no other event may cause one, least of all after the end of the run. */
  async #failed(error: unknown): Promise<void> {
    // The process may have too many open files, so a waiting run closes its own. The next poll continues at the same position.
    await this.#closeFiles().catch(() => undefined);
    this.#lastPoll += RETRY_MS;
    this.#isPollRequested = true;
    if (String(error) !== this.#lastError) this.#options.onError(error);
    this.#lastError = String(error);
  }

  async #deliver(): Promise<void> {
    this.#isPollRequested = false;
    this.#sources ??= this.#open();
    const sources = this.#sources;
    const { times } = sources;
    while (this.#isOpen && !(this.#isLogRead && this.#untimed.length === 0) && this.#hasSpace()) {
      const isMore = await this.#readLines(sources);
      await times.readUntil(this.#untimed.at(-1)?.end ?? 0);
      // A line that begins after the end of the file comes from `missing`. The runner wrote it.
      const isMissing = ({ start }: LogLine) => start >= (this.#size ?? Number.POSITIVE_INFINITY);
      this.#putLines(
        this.#untimed.splice(0).map((line) => ({
          ...line,
          time: times.timeAt(line.end),
          isOwn: times.takeOwn(line.start, line.end) || isMissing(line),
        })),
      );
      // Events are read before more of the log, because each marker of the log is kept in memory until its event is read.
      await this.#deliverRecords(sources);
      this.#notePosition(sources);
      if (!isMore) break;
    }
    await this.#deliverRecords(sources);
    this.#lastError = '';
    this.#completeIfStored();
  }

  /** Reads the next part of the log. @returns false if there is nothing new */
  async #readLines({ log, assembler }: Sources): Promise<boolean> {
    if (this.#isLogRead) return false;
    // Take the final size before reading: `finish` may be called during the read, after more lines were written.
    const size = this.#size;
    const chunk = await log.read(Math.min(READ_BYTES, (size ?? Number.POSITIVE_INFINITY) - log.position));
    this.#untimed.push(...assembler.push(chunk));
    if (chunk.length === 0 && size !== undefined) {
      this.#isLogRead = true;
      this.#untimed.push(...assembler.push(Buffer.from(this.#missing)), ...assembler.end());
    }
    return chunk.length > 0;
  }

  #hasSpace = (): boolean => this.#lines.bytes < WINDOW_BYTES && this.#records.bytes < WINDOW_BYTES;

  async #deliverRecords({ events }: Sources): Promise<void> {
    while (this.#isOpen && !this.#areRecordsRead && this.#records.bytes < WINDOW_BYTES) {
      const records = await events.read(this.#isLogRead);
      this.#areRecordsRead = this.#isLogRead && records.length === 0;
      if (records.length === 0) return;
      this.#putRecords(records);
    }
  }

  /** Proposes the current position for saving, unless an earlier one still waits for the server. */
  #notePosition(sources: Sources): void {
    if (this.#notedPosition) return;
    const position = positionOf(sources);
    if (position.offset - this.#savedPosition.offset >= SAVE_EVERY_BYTES) this.#notedPosition = position;
  }

  /** Saves the proposed position if the server has stored everything before it. */
  #savePosition(): void {
    const position = this.#notedPosition;
    if (!position || this.#lines.oldest <= position.line || this.#records.oldest <= position.events.count) return;
    this.#notedPosition = undefined;
    this.#savedPosition = position;
    // If saving fails, the next position is saved instead.
    saveJson(this.#options.folder.position, position).catch(() => undefined);
  }

  #putLines(lines: TimedLine[]) {
    const notStored = lines.filter((line) => line.number >= this.#stored.next_line);
    for (const batch of lineBatches(notStored)) {
      const { first, items } = this.#lines.put(batch.items, batch.bytes);
      if (this.#isOpen) this.#sendLines(first, items);
    }
  }

  #putRecords(records: ResultRecord[]) {
    const storedCount = Math.max(0, this.#stored.next_result - 1 - this.#seenRecords);
    this.#seenRecords += records.length;
    for (const batch of recordBatches(records.slice(storedCount))) {
      const { first, items } = this.#records.put(batch.items, batch.bytes);
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
    this.#notedPosition = undefined;
    this.#isLogRead = false;
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
    this.#savedPosition = positionOf(sources);
    this.#seenRecords = this.#savedPosition.events.count;
    return sources;
  }
}
