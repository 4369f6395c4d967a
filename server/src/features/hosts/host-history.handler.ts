import type { RunHosts, RunSummary } from '@signalbox/contract';
import { type Database, LOCK } from '../../database/database.ts';
import { type OutboxEntry, tasksWithEntry } from '../../outbox/outbox.store.ts';
import type { OutboxHandler, OutboxWork } from '../../outbox/outbox.ts';
import { writeHosts } from './host.store.ts';

export interface HostHistoryDeps {
  readonly database: Database;
  /** Returns the counts of a run. */
  readonly summary: (taskId: number) => Promise<RunSummary>;
  readonly hosts: (taskId: number, first: number, limit: number) => Promise<RunHosts>;
  /** Called when the history of a project's hosts has changed. */
  readonly onWritten: (projectId: number) => void;
  readonly onError: (error: unknown) => void;
}

/** Runs per query, and hosts per transaction. */
const RUNS = 50;
const HOSTS = 200;

/** Attempts after which the log of an unreadable run may be removed. Counted again after a restart. */
const ATTEMPTS = 5;

/** @returns false when the signal ended the work early */
const writeRun = async (
  { database, summary, hosts, onWritten }: HostHistoryDeps,
  { id, project_id, task_id, created: ended }: OutboxEntry,
  signal: AbortSignal,
): Promise<boolean> => {
  if (project_id === null) return true;
  const { complete } = await summary(task_id);
  for (let first = 1; ; first += HOSTS) {
    const page = (await hosts(task_id, first, HOSTS)).hosts;
    if (page.length > 0) {
      const runs = page.map(({ host, ...stats }) => ({ host, taskId: task_id, ended, complete, stats }));
      await database.write(async (tx) => {
        // The entry is missing if the project was deleted meanwhile.
        const exists = await tx.selectFrom('outbox').select('id').where('id', '=', id).executeTakeFirst();
        if (exists) await writeHosts(tx, project_id, runs);
      }, LOCK.hosts);
    }
    if (page.length < HOSTS) break;
    if (signal.aborted) return false;
    await new Promise(setImmediate);
  }
  onWritten(project_id);
  return true;
};

/** Adds ended runs to the history of their hosts. */
export const hostHistoryHandler = (deps: HostHistoryDeps): OutboxHandler => {
  /** Number of failed attempts by the id of the entry. */
  const failures = new Map<number, number>();

  const handleOne = async (entry: OutboxEntry, { signal, done }: OutboxWork): Promise<void> => {
    if (await writeRun(deps, entry, signal)) {
      await done([entry.id]);
      failures.delete(entry.id);
    }
  };

  /** Gives up an unreadable run if its log is to be removed. Otherwise the log would stay forever. */
  const failed = async (entry: OutboxEntry, { done }: OutboxWork): Promise<void> => {
    const count = (failures.get(entry.id) ?? 0) + 1;
    failures.set(entry.id, count);
    if (count < ATTEMPTS) return;
    const removals = await tasksWithEntry(deps.database.read, 'log_removal', [entry.task_id]);
    if (removals.size > 0) await done([entry.id]);
  };

  return {
    batch: RUNS,
    handle: async (entries, work) => {
      for (const entry of entries) {
        if (work.signal.aborted) return;
        try {
          await handleOne(entry, work);
        } catch (error) {
          // An unreadable run must not block the others.
          deps.onError(error);
          await failed(entry, work).catch(deps.onError);
        }
      }
    },
  };
};
