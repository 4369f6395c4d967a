import { HostResult, HostStats, type ResultRecord } from '@signalbox/contract';
import { z } from 'zod';
import { FileTail } from './file-tail.ts';
import type { Masker } from './masker.ts';

const PORTION = 256 * 1024;
const at = z.number();
/** Which mark in the output ends what belongs to this event. */
const mark = z.int();
/** Set once the line is known for ever, see `sealLog`. */
const line = z.int().optional();

/** One line that the callback plugin writes. */
export const PluginEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('play'), at, mark, line, play: z.int(), name: z.string(), hosts: z.int() }),
  z.object({
    kind: z.literal('step'),
    at,
    mark,
    line,
    step: z.int(),
    play: z.int(),
    name: z.string(),
    action: z.string(),
    handler: z.boolean(),
  }),
  z.object({
    kind: z.literal('host'),
    at,
    mark,
    line,
    step: z.int(),
    host: z.string(),
    result: HostResult,
    message: z.string(),
  }),
  z.object({ kind: z.literal('stats'), at, mark, line, hosts: z.record(z.string(), HostStats) }),
]);
export type PluginEvent = z.infer<typeof PluginEvent>;

const parseEvent = (row: string): PluginEvent | undefined => {
  try {
    return PluginEvent.safeParse(JSON.parse(row)).data;
  } catch {
    return undefined;
  }
};

// PostgreSQL stores no NUL.
const clean = (masker: Masker, text: string) => masker.mask(text.toWellFormed().replaceAll('\0', ''));

const toRecord = (event: PluginEvent, line: number, masker: Masker): ResultRecord => {
  const { mark: _, line: _known, ...rest } = event;
  switch (rest.kind) {
    case 'host':
      return { ...rest, line, host: clean(masker, rest.host), message: clean(masker, rest.message) };
    case 'stats':
      return { ...rest, line };
    case 'step':
      return { ...rest, line, name: clean(masker, rest.name), action: clean(masker, rest.action) };
    case 'play':
      return { ...rest, line, name: clean(masker, rest.name) };
  }
};

/**
 * Makes result records of what the callback plugin wrote. Each event waits for its mark in the output, because only the
 * output itself, not the clock or a file size, tells which line an event belongs to while a pipe lies in between.
 */
export class EventReader {
  readonly #tail: FileTail;
  readonly #masker: Masker;
  readonly #lines = new Map<number, number | undefined>();
  #rest: Buffer = Buffer.alloc(0);
  #waiting: PluginEvent[] = [];
  #line = 1;
  #newestMark = -1;

  constructor(path: string, masker: Masker) {
    this.#tail = new FileTail(path);
    this.#masker = masker;
  }

  /** A mark was met in the output. */
  readonly onMark = (number: number, line: number | undefined): void => {
    this.#lines.set(number, line);
    this.#newestMark = Math.max(this.#newestMark, number);
  };

  /** Records in the order of their events, as far as their lines are known; all that are left once the log has `ended`. */
  async read(ended: boolean): Promise<ResultRecord[]> {
    for (;;) {
      const portion = await this.#tail.read(PORTION);
      if (portion.length === 0) break;
      const bytes = Buffer.concat([this.#rest, portion]);
      const cut = bytes.lastIndexOf(0x0a) + 1;
      this.#rest = bytes.subarray(cut);
      for (const row of bytes.toString('utf8', 0, cut).split('\n')) {
        const event = parseEvent(row);
        if (event) this.#waiting.push(event);
      }
    }
    const ready = ended
      ? this.#waiting.length
      : this.#waiting.findIndex((event) => event.line === undefined && event.mark > this.#newestMark);
    return this.#waiting.splice(0, ready === -1 ? this.#waiting.length : ready).map((event) => this.#resolve(event));
  }

  close = () => this.#tail.close();

  #resolve(event: PluginEvent): ResultRecord {
    // What showed nothing, for example a skipped host that is not displayed, stays with what came before it.
    this.#line = event.line ?? this.#lines.get(event.mark) ?? this.#line;
    this.#lines.delete(event.mark);
    return toRecord(event, this.#line, this.#masker);
  }
}
