import type { RunHosts, RunSummary } from '@signalbox/contract';
import { type Database, LOCK } from '../../database/database.ts';
import { oneByOne } from '../../outbox/one-by-one.ts';
import type { OutboxEntry } from '../../outbox/outbox.store.ts';
import type { OutboxHandler } from '../../outbox/outbox.ts';
import { writeHosts } from './host.store.ts';
import { writeHostTemplates } from './host-template.store.ts';
import { failuresByHost, type RunFailures } from './run-failures.ts';
import { type RunNotesDeps, storeNotes } from './run-notes.ts';

export interface HostHistoryDeps {
  readonly database: Database;
  /** Returns the counts of a run. */
  readonly summary: (taskId: number) => Promise<RunSummary>;
  readonly hosts: (taskId: number, first: number, limit: number) => Promise<RunHosts>;
  readonly failures: RunFailures;
  readonly notes: RunNotesDeps['notes'];
  /** Called when the history of a project's hosts has changed. */
  readonly onWritten: (projectId: number) => void;
  readonly onError: (error: unknown) => void;
}

/** Runs per query, and hosts per transaction. */
const RUNS = 50;
const HOSTS = 200;

/** @returns false when the signal ended the work early */
const writeRun = async (
  { database, summary, hosts, failures, notes, onWritten }: HostHistoryDeps,
  { id, project_id, task_id, created: ended }: OutboxEntry,
  signal: AbortSignal,
): Promise<boolean> => {
  if (project_id === null) return true;
  const { complete } = await summary(task_id);
  const failed = await failuresByHost(failures, task_id);
  for (let first = 1; ; first += HOSTS) {
    const page = (await hosts(task_id, first, HOSTS)).hosts;
    if (page.length > 0) {
      const runs = page.map(({ host, ...stats }) => ({
        ...{ host, taskId: task_id, ended, complete, stats },
        failed: failed.get(host),
      }));
      await database.write(async (tx) => {
        // The entry is missing if the project was deleted meanwhile.
        const exists = await tx.selectFrom('outbox').select('id').where('id', '=', id).executeTakeFirst();
        if (!exists) return;
        await writeHosts(tx, project_id, runs);
        const task = await tx.selectFrom('task').select('template_id').where('id', '=', task_id).executeTakeFirst();
        if (task) await writeHostTemplates(tx, project_id, task.template_id, runs);
      }, LOCK.hosts);
    }
    if (page.length < HOSTS) break;
    if (signal.aborted) return false;
    await new Promise(setImmediate);
  }
  const task = await database.read
    .selectFrom('task')
    .select('template_id')
    .where('id', '=', task_id)
    .executeTakeFirst();
  const isStored =
    !task ||
    (await storeNotes(
      { database, notes },
      {
        projectId: project_id,
        run: { taskId: task_id, templateId: task.template_id, ended: Date.parse(ended) },
        isDue: async (tx) =>
          (await tx.selectFrom('outbox').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,
        signal,
      },
    ));
  onWritten(project_id);
  return isStored;
};

/** Adds ended runs to the history of their hosts. */
export const hostHistoryHandler = (deps: HostHistoryDeps): OutboxHandler =>
  oneByOne({
    database: deps.database,
    batch: RUNS,
    handleOne: (entry, signal) => writeRun(deps, entry, signal),
    onError: deps.onError,
  });
