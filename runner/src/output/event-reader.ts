import {
  type HostRecord,
  HostResult,
  HostStats,
  LoopItems,
  MAX_FAILED_ITEMS,
  type ResultRecord,
} from '@signalbox/contract';
import { z } from 'zod';
import { FileTail } from './file-tail.ts';
import { MASK, type Masker } from './masker.ts';
import { ResultLineStore, type ResultLines } from './result-lines.ts';
import { MIN_SECRET } from './secret-forms.ts';

const PORTION = 256 * 1024;

/** Marks that are kept for events to come: who writes more of them to the output by hand only harms their own lines. */
const MAX_MARKS = 50_000;

/** Longest row that is read: the final counts of 100,000 hosts have room. What a playbook's user puts there is not believed. */
const MAX_ROW = 32 * 1024 * 1024;

/**
 * Bytes of the events file that are read. Results end at twice the limit that the callback plugin is told; plays, steps
 * and the final counts, which it never leaves out, have the room of the longest row beside a tenth more.
 */
export const mostEventBytes = (limit: number): number => Math.ceil(limit * 2.2) + MAX_ROW;

/** Longest text of a record, in characters; the callback plugin keeps well below. */
const MAX_TEXT = 5_000;

/** Longest name of a host, in characters: databases find it by an index, which takes no long ones. */
const MAX_HOST = 500;

/** Longest name of anything else, in characters: the server holds those of a whole run at once. */
const MAX_NAME = 500;

/** Milliseconds of the last day that a clock can show. */
const at = z.number().min(0).max(8.64e15);
/** Plays and steps are counted up from 1; no playbook comes so far. The server holds all of them at once. */
const number = z.int().min(0).max(200_000);
/** Which mark in the output ends what belongs to this event. */
const mark = z.int();

/** One line that the callback plugin writes. */
export const PluginEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('play'), at, mark, play: number, name: z.string(), hosts: number }),
  z.object({
    kind: z.literal('step'),
    at,
    mark,
    step: number,
    play: number,
    name: z.string(),
    action: z.string(),
    handler: z.boolean(),
    free: z.literal(true).optional(),
  }),
  z.object({
    kind: z.literal('host'),
    at,
    mark,
    step: number,
    host: z.string(),
    result: HostResult,
    message: z.string(),
    rescued: z.literal(true).optional(),
    changed: z.literal(true).optional(),
    delegated_to: z.string().optional(),
    items: LoopItems.extend({ names: z.array(z.string()).max(MAX_FAILED_ITEMS) }).optional(),
  }),
  z.object({ kind: z.literal('stats'), at, mark, hosts: z.record(z.string(), HostStats) }),
]);
export type PluginEvent = z.infer<typeof PluginEvent>;

const parseEvent = (row: string): PluginEvent | undefined => {
  try {
    return PluginEvent.safeParse(JSON.parse(row)).data;
  } catch {
    return undefined;
  }
};

/** Where the callback plugin cuts a long text. */
const CUT = '…';

/** The part before a cut, without the beginning of a secret that the cut has torn. */
const beforeCut = (masker: Masker, text: string): string => {
  const open = masker.openFrom(text, false);
  return text.length - open < MIN_SECRET ? masker.mask(text) : `${masker.mask(text.slice(0, open))}${MASK}`;
};

const clean = (masker: Masker, text: string): string => {
  // PostgreSQL stores no NUL.
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}${CUT}` : text;
  const parts = short.toWellFormed().replaceAll('\0', '').split(CUT);
  const last = parts.pop() ?? '';
  if (parts.length === 0) return masker.mask(last);
  // A secret may hold such a character itself: then the whole is masked first.
  const whole = masker.mask([...parts, last].join(CUT)).split(CUT);
  const end = whole.pop() ?? '';
  return [...whole.map((part) => beforeCut(masker, part)), end].join(CUT);
};

/** The name of a host, the same in every record. */
const cleanHostName = (masker: Masker, host: string): string => clean(masker, host).slice(0, MAX_HOST).toWellFormed();

/** The name of anything else. It is cut behind the masker, which knows a secret only as a whole. */
const cleanName = (masker: Masker, name: string): string => {
  const whole = clean(masker, name);
  return whole.length > MAX_NAME ? `${whole.slice(0, MAX_NAME - 1)}${CUT}`.toWellFormed() : whole;
};

/** Maximum bytes of the final counts of all hosts, as JSON: they are one record, which must fit into one frame. */
const MAX_STATS = 2.5 * 1024 * 1024;
/** Bytes of the counts of one host as JSON, without its name. */
const HOST_STATS_BYTES = 130;

/** Cleans the final counts and cuts them to what fits, about 15,000 hosts. For the other hosts the server counts results. */
const cleanStats = (masker: Masker, hosts: Record<string, HostStats>): Record<string, HostStats> => {
  const kept: [string, HostStats][] = [];
  let bytes = 0;
  for (const [name, stats] of Object.entries(hosts)) {
    const host = cleanHostName(masker, name);
    bytes += HOST_STATS_BYTES + Buffer.byteLength(JSON.stringify(host));
    if (bytes > MAX_STATS) break;
    kept.push([host, stats]);
  }
  return Object.fromEntries(kept);
};

const cleanHost = (masker: Masker, record: HostRecord): HostRecord => ({
  ...record,
  host: cleanHostName(masker, record.host),
  message: clean(masker, record.message),
  ...(record.delegated_to === undefined ? {} : { delegated_to: cleanName(masker, record.delegated_to) }),
  ...(record.items === undefined
    ? {}
    : { items: { ...record.items, names: record.items.names.map((name) => cleanName(masker, name)) } }),
});

const FAILURES: ReadonlySet<HostResult> = new Set(['failed', 'unreachable', 'ignored']);

const toRecord = (event: PluginEvent, line: number, masker: Masker, store: ResultLineStore): ResultRecord => {
  const { mark: _, ...rest } = event;
  switch (rest.kind) {
    case 'host': {
      const record = cleanHost(masker, { ...rest, line });
      const own = store.take(record.host, FAILURES.has(record.result));
      return own === undefined ? record : { ...record, line: own.first, last_line: own.last };
    }
    case 'stats':
      return { ...rest, line, hosts: cleanStats(masker, rest.hosts) };
    case 'step': {
      const { free, ...step } = rest;
      return {
        ...step,
        line: free ? 0 : line,
        name: cleanName(masker, rest.name),
        action: cleanName(masker, rest.action),
      };
    }
    case 'play':
      return { ...rest, line, name: cleanName(masker, rest.name) };
  }
};

/** Where reading may begin again, so that what follows comes out the same. */
export interface EventPosition {
  /** Bytes of the events file. */
  readonly offset: number;
  /** Events that were given out. */
  readonly count: number;
  /** Line of the newest of them. */
  readonly line: number;
  /** Marks that were met and whose events were not given out, with their lines. */
  readonly marks: readonly (readonly [mark: number, line: number | null])[];
}

export const EventPosition: z.ZodType<EventPosition> = z.object({
  offset: z.int(),
  count: z.int(),
  line: z.int(),
  marks: z.array(z.tuple([z.int(), z.int().nullable()])),
});

interface Waiting {
  readonly event: PluginEvent;
  /** Offset behind it in the file. */
  readonly end: number;
}

/**
 * Makes result records of what the callback plugin wrote. Each event waits for its mark in the output, because only the
 * output itself, not the clock or a file size, tells which line an event belongs to while a pipe lies in between.
 */
export class EventReader {
  readonly #tail: FileTail;
  /** Bytes of the file that are read: whatever is behind them counts as not there. */
  readonly #most: number;
  readonly #masker: Masker;
  readonly #lines = new Map<number, number | undefined>();
  /** Results that the output shows before each marker; markers without any are left out. */
  readonly #printed = new Map<number, readonly ResultLines[]>();
  readonly #resultLines = new ResultLineStore();
  #rest: Buffer = Buffer.alloc(0);
  #waiting: Waiting[] = [];
  #given: { offset: number; count: number };
  #line = 1;
  #newestMark = -1;
  /** Newest mark whose event was given out: marks ascend, as events do. */
  #resolved = -1;

  constructor(path: string, masker: Masker, from?: EventPosition, most = Number.POSITIVE_INFINITY) {
    this.#tail = new FileTail(path, from?.offset);
    this.#most = most;
    this.#masker = masker;
    this.#given = { offset: from?.offset ?? 0, count: from?.count ?? 0 };
    this.#line = from?.line ?? 1;
    for (const [number, met] of from?.marks ?? []) this.onMark(number, met ?? undefined);
  }

  /** A mark was met in the output. */
  readonly onMark = (number: number, line: number | undefined, results: readonly ResultLines[] = []): void => {
    this.#lines.set(number, line);
    if (results.length > 0) this.#printed.set(number, results);
    this.#newestMark = Math.max(this.#newestMark, number);
    if (this.#lines.size > 2 * MAX_MARKS) this.#dropMarks();
  };

  get position(): EventPosition {
    const marks = [...this.#lines]
      .filter(([number]) => number > this.#resolved)
      .map(([number, line]) => [number, line ?? null] as const);
    return { ...this.#given, line: this.#line, marks };
  }

  /**
   * Some records in the order of their events, as far as their lines are known, or all once the log has `ended`. Empty
   * when there are no more by now; of a long file one portion at a time is held.
   */
  async read(ended: boolean): Promise<ResultRecord[]> {
    for (;;) {
      const ready = this.#takeReady(ended);
      if (ready.length > 0 || this.#waiting.length > 0) return ready;
      const portion = await this.#tail.read(Math.min(PORTION, this.#most - this.#tail.position));
      if (portion.length === 0) return [];
      this.#parse(portion);
    }
  }

  close = () => this.#tail.close();

  #dropMarks(): void {
    for (const number of this.#lines.keys()) {
      if (number > this.#resolved && this.#lines.size <= MAX_MARKS) break;
      this.#lines.delete(number);
      this.#printed.delete(number);
    }
  }

  #parse(portion: Buffer): void {
    const bytes = this.#rest.length === 0 ? portion : Buffer.concat([this.#rest, portion]);
    const start = this.#tail.position - bytes.length;
    let at = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, at)) {
      const event = parseEvent(bytes.toString('utf8', at, end));
      at = end + 1;
      if (event) this.#waiting.push({ event, end: start + at });
    }
    // The end of a row that is too long is no event, and passed over like one.
    this.#rest = bytes.length - at > MAX_ROW ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at));
  }

  #takeReady(ended: boolean): ResultRecord[] {
    const first = this.#waiting.findIndex(({ event }) => event.mark > this.#newestMark);
    const ready = this.#waiting.splice(0, ended || first === -1 ? this.#waiting.length : first);
    return ready.map((waiting) => this.#resolve(waiting));
  }

  #resolve({ event, end }: Waiting): ResultRecord {
    // What showed nothing, for example a skipped host that is not displayed, stays with what came before it.
    this.#line = this.#lines.get(event.mark) ?? this.#line;
    this.#lines.delete(event.mark);
    this.#resultLines.add(this.#printed.get(event.mark) ?? []);
    this.#printed.delete(event.mark);
    this.#resolved = Math.max(this.#resolved, event.mark);
    this.#given = { offset: end, count: this.#given.count + 1 };
    return toRecord(event, this.#line, this.#masker, this.#resultLines);
  }
}
