import type { HostRecord, ResultRecord } from '@signalbox/contract';
import {
  FailureCause,
  HostFactValues,
  HostResult,
  HostStats,
  LoopItems,
  MAX_FAILED_ITEMS,
  MAX_HOST_GROUPS,
  MAX_PLAY_NAMES,
} from '@signalbox/contract/link';
import { z } from 'zod';
import { FileTail } from './file-tail.ts';
import type { OnMarker } from './line-assembler.ts';
import { MASK, type Masker } from './masker.ts';
import { ResultLineStore, type ResultLines } from './result-lines.ts';
import { MIN_SECRET } from './secret-forms.ts';

const CHUNK = 256 * 1024;

/**
 * Maximum number of markers that wait for their events. A playbook that prints more by itself only affects its own
 * lines.
 */
const MAX_MARKERS = 50_000;

/** Maximum length of a row: the final counts of 100,000 hosts fit. A playbook could write longer ones. */
const MAX_ROW = 32 * 1024 * 1024;

/**
 * Bytes of the events file that are read. Results end at twice the limit of the callback plugin. Plays, steps and the
 * final counts, which the plugin never omits, get the length of the longest row and a tenth more.
 */
export const maxEventBytes = (limit: number): number => Math.ceil(limit * 2.2) + MAX_ROW;

/** Maximum length of a text in a record, in characters; the texts of the callback plugin are shorter. */
const MAX_TEXT = 5_000;

/** Maximum length of a host name, in characters: databases index it, and indexes limit its length. */
const MAX_HOST = 500;

/** Maximum length of any other name, in characters: the server holds the names of a whole run at once. */
const MAX_NAME = 500;

/** The last time that a `Date` can represent, in milliseconds. */
const at = z.number().min(0).max(8.64e15);
/**
 * Plays and steps are counted from 1. The limit is above any real playbook, because the server holds all of them at
 * once.
 */
const number = z.int().min(0).max(200_000);
/** Number of the marker that ends the output of this event. */
const mark = z.int();

/** One line that the callback plugin writes. */
export const PluginEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('play'),
    at,
    mark,
    play: number,
    name: z.string(),
    hosts: number,
    names: z.array(z.string()).max(MAX_PLAY_NAMES).optional(),
  }),
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
    path: z.string().optional(),
  }),
  z.object({
    kind: z.literal('host'),
    at,
    mark,
    step: number,
    host: z.string(),
    result: HostResult,
    message: z.string(),
    cause: FailureCause.optional(),
    rescued: z.literal(true).optional(),
    changed: z.literal(true).optional(),
    delegated_to: z.string().optional(),
    items: LoopItems.extend({ names: z.array(z.string()).max(MAX_FAILED_ITEMS) }).optional(),
    groups: z.array(z.string()).max(MAX_HOST_GROUPS).optional(),
    facts: HostFactValues.optional(),
    target: z.string().optional(),
    diff: z.string().optional(),
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

/** The part before a cut, without the beginning of a secret that was cut. */
const beforeCut = (masker: Masker, text: string): string => {
  const open = masker.incompleteFrom(text, false);
  return text.length - open < MIN_SECRET ? masker.mask(text) : `${masker.mask(text.slice(0, open))}${MASK}`;
};

const clean = (masker: Masker, text: string, most = MAX_TEXT): string => {
  // PostgreSQL does not store NUL.
  const short = text.length > most ? `${text.slice(0, most)}${CUT}` : text;
  const parts = short.toWellFormed().replaceAll('\0', '').split(CUT);
  const last = parts.pop() ?? '';
  if (parts.length === 0) return masker.mask(last);
  // A secret may contain this character itself, so the whole text is masked first.
  const whole = masker.mask([...parts, last].join(CUT)).split(CUT);
  const end = whole.pop() ?? '';
  return [...whole.map((part) => beforeCut(masker, part)), end].join(CUT);
};

/** Cleans the name of a host. The result is the same in every record. */
const cleanHostName = (masker: Masker, host: string): string => clean(masker, host).slice(0, MAX_HOST).toWellFormed();

/** Cleans any other name. It is cut after masking, because a truncated secret is not recognized. */
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

/** Maximum length of a difference, in characters. Masking can make it longer. */
const MAX_DIFF = 16_500;
const MAX_MASKED_DIFF = 20_000;

/** Cleans the texts of facts, and the names of mounts and interfaces. */
const cleanFacts = (masker: Masker, { mounts, interfaces, ...simple }: HostFactValues): HostFactValues => {
  const byName = <T>(found: Readonly<Record<string, T>>, cleaned: (value: T) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(found).map(([name, value]) => [cleanName(masker, name), cleaned(value)]));
  const texts = Object.entries(simple).map(([name, value]) => [
    name,
    typeof value === 'string' ? cleanName(masker, value) : value,
  ]);
  return {
    ...(Object.fromEntries(texts) as HostFactValues),
    ...(mounts ? { mounts: byName(mounts, (mount) => mount) } : {}),
    ...(interfaces ? { interfaces: byName(interfaces, (addresses) => cleanName(masker, addresses)) } : {}),
  };
};

const cleanDiff = (masker: Masker, diff: string): string =>
  clean(masker, diff, MAX_DIFF).slice(0, MAX_MASKED_DIFF).toWellFormed();

/** What a result notes about its host. */
const cleanNotes = (masker: Masker, { groups, facts, target, diff }: HostRecord): Partial<HostRecord> => ({
  ...(groups === undefined ? {} : { groups: groups.map((name) => cleanName(masker, name)) }),
  ...(facts === undefined ? {} : { facts: cleanFacts(masker, facts) }),
  ...(target === undefined ? {} : { target: cleanName(masker, target) }),
  ...(diff === undefined ? {} : { diff: cleanDiff(masker, diff) }),
});

const cleanHost = (masker: Masker, record: HostRecord): HostRecord => ({
  ...record,
  ...cleanNotes(masker, record),
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
      const { free, path, ...step } = rest;
      return {
        ...step,
        line: free ? 0 : line,
        name: cleanName(masker, rest.name),
        action: cleanName(masker, rest.action),
        ...(path ? { path: cleanName(masker, path) } : {}),
      };
    }
    case 'play':
      return {
        ...rest,
        line,
        name: cleanName(masker, rest.name),
        ...(rest.names ? { names: rest.names.map((name) => cleanHostName(masker, name)) } : {}),
      };
  }
};

/** A position from which reading returns the same records again. */
export interface EventPosition {
  /** Bytes of the events file. */
  readonly offset: number;
  /** Number of events that were returned. */
  readonly count: number;
  /** Line of the last of them. */
  readonly line: number;
  /** Markers that were read and whose events were not returned, with their lines. */
  readonly marks: readonly (readonly [marker: number, line: number | null])[];
}

export const EventPosition: z.ZodType<EventPosition> = z.object({
  offset: z.int(),
  count: z.int(),
  line: z.int(),
  marks: z.array(z.tuple([z.int(), z.int().nullable()])),
});

interface Waiting {
  readonly event: PluginEvent;
  /** Offset after the event in the file. */
  readonly end: number;
}

/**
 * Makes result records from the events of the callback plugin. Each event waits for its marker in the output: output
 * passes through a pipe, so a clock or a file size cannot show to which line an event belongs.
 */
export class EventReader {
  readonly #tail: FileTail;
  /** Maximum bytes of the file that are read. */
  readonly #most: number;
  readonly #masker: Masker;
  readonly #lines = new Map<number, number | undefined>();
  /** The line of the title before each marker. It is lost by a restart; then the first line counts. */
  readonly #titles = new Map<number, number>();
  /** Results that the output shows before each marker. Markers without results have no entry. */
  readonly #printed = new Map<number, readonly ResultLines[]>();
  readonly #resultLines = new ResultLineStore();
  #rest: Buffer = Buffer.alloc(0);
  #waiting: Waiting[] = [];
  #returned: { offset: number; count: number };
  #line = 1;
  #newestMarker = -1;
  /** Newest marker whose event was returned: markers ascend, as events do. */
  #resolved = -1;

  constructor(path: string, masker: Masker, from?: EventPosition, most = Number.POSITIVE_INFINITY) {
    this.#tail = new FileTail(path, from?.offset);
    this.#most = most;
    this.#masker = masker;
    this.#returned = { offset: from?.offset ?? 0, count: from?.count ?? 0 };
    this.#line = from?.line ?? 1;
    for (const [number, line] of from?.marks ?? []) this.onMarker(number, line ?? undefined, [], undefined);
  }

  /** Receives a marker from the output. */
  readonly onMarker: OnMarker = (number, line, results, title) => {
    this.#lines.set(number, line);
    if (title !== undefined) this.#titles.set(number, title);
    if (results.length > 0) this.#printed.set(number, results);
    this.#newestMarker = Math.max(this.#newestMarker, number);
    if (this.#lines.size > 2 * MAX_MARKERS) this.#dropMarkers();
  };

  get position(): EventPosition {
    const markers = [...this.#lines]
      .filter(([number]) => number > this.#resolved)
      .map(([number, line]) => [number, line ?? null] as const);
    return { ...this.#returned, line: this.#line, marks: markers };
  }

  /**
   * Some records in the order of their events, as far as their lines are known, or all once the log has `ended`. Empty
   * if there are none now. Only one chunk of a long file is held at a time.
   */
  async read(ended: boolean): Promise<ResultRecord[]> {
    for (;;) {
      const ready = this.#takeReady(ended);
      if (ready.length > 0 || this.#waiting.length > 0) return ready;
      const chunk = await this.#tail.read(Math.min(CHUNK, this.#most - this.#tail.position));
      if (chunk.length === 0) return [];
      this.#parse(chunk);
    }
  }

  close = () => this.#tail.close();

  #dropMarkers(): void {
    for (const number of this.#lines.keys()) {
      if (number > this.#resolved && this.#lines.size <= MAX_MARKERS) break;
      this.#lines.delete(number);
      this.#titles.delete(number);
      this.#printed.delete(number);
    }
  }

  #parse(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const start = this.#tail.position - bytes.length;
    let at = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, at)) {
      const event = parseEvent(bytes.toString('utf8', at, end));
      at = end + 1;
      if (event) this.#waiting.push({ event, end: start + at });
    }
    // The end of a row that is too long is no event, and is skipped.
    this.#rest = bytes.length - at > MAX_ROW ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at));
  }

  #takeReady(ended: boolean): ResultRecord[] {
    const first = this.#waiting.findIndex(({ event }) => event.mark > this.#newestMarker);
    const ready = this.#waiting.splice(0, ended || first === -1 ? this.#waiting.length : first);
    return ready.map((waiting) => this.#resolve(waiting));
  }

  #resolve({ event, end }: Waiting): ResultRecord {
    // An event without visible output, for example of a skipped host, gets the line of the previous event.
    const title = event.kind === 'play' || event.kind === 'step' ? this.#titles.get(event.mark) : undefined;
    this.#line = title ?? this.#lines.get(event.mark) ?? this.#line;
    this.#lines.delete(event.mark);
    this.#titles.delete(event.mark);
    this.#resultLines.add(this.#printed.get(event.mark) ?? []);
    this.#printed.delete(event.mark);
    this.#resolved = Math.max(this.#resolved, event.mark);
    this.#returned = { offset: end, count: this.#returned.count + 1 };
    return toRecord(event, this.#line, this.#masker, this.#resultLines);
  }
}
