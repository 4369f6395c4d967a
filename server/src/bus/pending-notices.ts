import type { BusEvents } from './bus.ts';
import type { Signal, StoredRange } from './notice.ts';

/** Number of entries of one notice. Each has less than 70 bytes, so a notice is below the limit of 8,000 bytes. */
const ENTRIES = 100;
/** With more entries than this, the other servers read everything again. */
const MAX_ENTRIES = 5_000;

type Entry =
  | readonly ['tasks' | 'queries', number]
  | readonly ['lines' | 'results', StoredRange]
  | readonly ['parts', readonly [project: number, part: string]]
  | readonly ['installation', string]
  | readonly ['signals', Signal];

/** The events that were not sent to the other servers yet, each once. */
export class PendingNotices {
  readonly #entries = new Map<string, Entry>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  tasks(ids: readonly number[]): void {
    for (const id of ids) this.#add(`task ${id}`, ['tasks', id]);
  }

  query(id: number): void {
    this.#add(`query ${id}`, ['queries', id]);
  }

  /** Later lines of the same task are read together with the earlier ones. */
  stored(kind: 'lines' | 'results', range: StoredRange): void {
    const key = `${kind} ${range.task}`;
    const [, before] = (this.#entries.get(key) ?? []) as readonly [string?, StoredRange?];
    this.#add(key, [kind, before ? { ...before, last: range.last } : range]);
  }

  part({ projectId, part }: BusEvents['part_changed']): void {
    this.#add(`part ${projectId} ${part}`, ['parts', [projectId, part]]);
  }

  installation({ part }: BusEvents['installation_changed']): void {
    this.#add(`installation ${part}`, ['installation', part]);
  }

  signal(name: Signal): void {
    this.#add(name, ['signals', name]);
  }

  #add(key: string, entry: Entry): void {
    if (this.#entries.has('events_missed')) return;
    if (this.#entries.size >= MAX_ENTRIES || key === 'events_missed') {
      this.#entries.clear();
      this.#entries.set('events_missed', ['signals', 'events_missed']);
    } else this.#entries.set(key, entry);
  }

  /** Removes and returns the content of the next notice. */
  take(): Partial<Record<Entry[0], unknown[]>> {
    const content: Partial<Record<Entry[0], unknown[]>> = {};
    for (const [key, [kind, value]] of [...this.#entries].slice(0, ENTRIES)) {
      this.#entries.delete(key);
      const list = content[kind] ?? [];
      list.push(value);
      content[kind] = list;
    }
    return content;
  }
}
