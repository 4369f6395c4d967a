import type { Database, StateTransaction } from '../../database/database.ts';
import { LOCK } from '../../database/database.ts';
import type { HostNotes } from '../../logs/results/host-notes.ts';
import { hostIds, type NotedRun, packChanges, writeChanges, writeFacts, writeGroups } from './host-notes.store.ts';
import { RunChanges } from './run-changes.ts';

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

/** Stores groups, facts and changes of an ended run, whose hosts are stored already. @returns false when the signal ended it */
export const storeNotes = async (
  { database, notes }: RunNotesDeps,
  { projectId, run, isDue, signal }: Noting,
): Promise<boolean> => {
  const changes = new RunChanges();
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
        async (tx, hosts) => {
          await writeGroups(tx, hosts, part, run);
          await writeFacts(tx, hosts, part, run, projectId);
        },
      );
    }
    if (signal.aborted) return false;
    await new Promise(setImmediate);
  }
  const all = [...changes.byHost];
  for (let at = 0; at < all.length; at += HOSTS) {
    const part = await packChanges(all.slice(at, at + HOSTS));
    await write([...part.keys()], (tx, hosts) => writeChanges(tx, hosts, part, run));
    if (signal.aborted) return false;
    await new Promise(setImmediate);
  }
  return true;
};
