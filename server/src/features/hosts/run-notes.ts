import type { Database, StateTransaction } from '../../database/database.ts';
import { LOCK } from '../../database/database.ts';
import type { HostNoteChange, HostNotes } from '../../logs/results/host-notes.ts';
import { hostIds, type NotedRun, writeChanges, writeGroupsAndFacts } from './host-notes.store.ts';

/** Changes of a run, and of one host in it, that are stored. */
const [MAX_CHANGES, MAX_HOST_CHANGES] = [20_000, 200];
/** Hosts per transaction. */
const HOSTS = 200;

export interface RunNotesDeps {
  readonly database: Database;
  /** Returns what the results of a run note about hosts, from a record on. */
  readonly notes: (taskId: number, first: number) => Promise<HostNotes>;
}

interface Noting {
  readonly projectId: number;
  readonly run: NotedRun;
  /** Whether the work must go on: the project may have been deleted. */
  readonly isDue: (tx: StateTransaction) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** The changes of a run by host, up to a limit. */
class Changes {
  readonly byHost = new Map<string, HostNoteChange[]>();
  #count = 0;

  add(host: string, change: HostNoteChange): void {
    const own = this.byHost.get(host) ?? [];
    if (this.#count >= MAX_CHANGES || own.length >= MAX_HOST_CHANGES) return;
    this.byHost.set(host, own);
    own.push(change);
    this.#count += 1;
  }
}

/** Stores groups, facts and changes of an ended run, whose hosts are stored already. @returns false when the signal ended it */
export const storeNotes = async (
  { database, notes }: RunNotesDeps,
  { projectId, run, isDue, signal }: Noting,
): Promise<boolean> => {
  const changes = new Changes();
  const write = (
    names: readonly string[],
    work: (tx: StateTransaction, hosts: ReadonlyMap<string, number>) => Promise<void>,
  ) =>
    database.write(async (tx) => {
      if (await isDue(tx)) await work(tx, await hostIds(tx, projectId, names));
    }, LOCK.hosts);
  for (let next: number | undefined = 1; next !== undefined; ) {
    const page: HostNotes = await notes(run.taskId, next);
    next = page.next;
    for (const { host, change } of page.notes) if (change) changes.add(host, change);
    const stored = page.notes.filter(({ groups, facts }) => groups || facts);
    for (let at = 0; at < stored.length; at += HOSTS) {
      const part = stored.slice(at, at + HOSTS);
      await write(
        part.map(({ host }) => host),
        (tx, hosts) => writeGroupsAndFacts(tx, hosts, part, run),
      );
    }
    if (signal.aborted) return false;
    await new Promise(setImmediate);
  }
  const all = [...changes.byHost];
  for (let at = 0; at < all.length; at += HOSTS) {
    const part = new Map(all.slice(at, at + HOSTS));
    await write([...part.keys()], (tx, hosts) => writeChanges(tx, hosts, part, run));
    if (signal.aborted) return false;
    await new Promise(setImmediate);
  }
  return true;
};
