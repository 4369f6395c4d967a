import type { Database, StateTransaction } from '../database/database.ts';
import { enqueue, tasksWithEntry } from '../outbox/outbox.store.ts';
import type { OutboxHandler } from '../outbox/outbox.ts';
import type { LogStore } from './log-store.ts';
import { queueObject, queueObjectsOf, storedObjectsOf } from './objects/log-object.store.ts';
import { type LogStoreProblem, logStoreProblem } from './objects/object-store.ts';

/** Logs per removal. Few, so that a removal does not delay the writes of runs. */
const BATCH = 50;

/**
 * Queues the removal of logs, in the transaction that deletes their tasks or expires the logs. Logs are in another store,
 * so the outbox removes them afterwards.
 */
export const queueLogRemoval = (tx: StateTransaction, taskIds: readonly number[]): Promise<void> =>
  enqueue(
    tx,
    'log_removal',
    taskIds.map((task_id) => ({ task_id, project_id: null, created: '' })),
  );

/**
 * Queues the removal of all logs of a template or project. Must run in the transaction that deletes it, before the
 * deletion, which also deletes the tasks.
 */
export const queueLogsOf = async (
  tx: StateTransaction,
  owner: { readonly templateId: number } | { readonly projectId: number },
): Promise<void> => {
  const [column, id] =
    'templateId' in owner ? (['template_id', owner.templateId] as const) : (['project_id', owner.projectId] as const);
  await tx
    .insertInto('outbox')
    .columns(['kind', 'task_id', 'created'])
    .expression((eb) =>
      eb
        .selectFrom('task')
        .select([eb.val('log_removal' as const).as('kind'), 'id', eb.val('').as('created')])
        .where(column, '=', id),
    )
    .execute();
};

/** The tasks that exist. Retention removed the lines of their logs, and their results stay. */
const existingTasks = async ({ read }: Database, taskIds: readonly number[]): Promise<ReadonlySet<number>> => {
  if (taskIds.length === 0) return new Set();
  const rows = await read
    .selectFrom('task')
    .select('id')
    .where('id', 'in', taskIds)
    .where('log_removed', '=', 1)
    .execute();
  return new Set(rows.map(({ id }) => id));
};

/** Problems of the log store that an administrator can end. With any other, the results are lost. */
const PASSING: readonly LogStoreProblem[] = ['away', 'full', 'refused'];

type RemovableLogs = Pick<LogStore, 'remove' | 'removeLines'>;

interface StoreCalls {
  /** Rejects with a `LogStoreError` if the log store is not that of this installation, such as an empty folder. */
  readonly checkStore: () => Promise<void>;
  /** Called after objects of moved logs may have been queued for their removal. */
  readonly onRemoved: () => void;
}

/** Does something with the log store. @returns its problem; undefined without one */
const problemOf = async (work: () => Promise<void>): Promise<LogStoreProblem | undefined> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    const problem = logStoreProblem(error);
    if (problem === undefined) throw error;
    return problem;
  }
};

/** Removes the lines of a log. @returns false while the log store does not give the results back */
const removeLinesOf = async (
  logs: RemovableLogs,
  checkStore: StoreCalls['checkStore'],
  taskId: number,
): Promise<boolean> => {
  const removeLines = () => problemOf(() => logs.removeLines(taskId));
  const first = await removeLines();
  if (first === undefined) return true;
  if (PASSING.includes(first) || (await problemOf(checkStore)) !== undefined) return false;
  // The store may have been mounted after the first attempt.
  const second = await removeLines();
  if (second === undefined) return true;
  if (PASSING.includes(second)) return false;
  await logs.remove([taskId]);
  return true;
};

/**
 * Removes queued logs. A log whose hosts, failures or times must still be stored waits for that, and one whose results
 * are in a log store that is away waits for the store.
 */
export const logRemovalHandler = (
  database: Database,
  logs: RemovableLogs,
  { checkStore, onRemoved }: StoreCalls,
): OutboxHandler => ({
  batch: BATCH,
  handle: async (entries, { done }) => {
    const taskIds = entries.map(({ task_id }) => task_id);
    const ofHosts = await tasksWithEntry(database.read, 'host_history', taskIds);
    const ofFailures = await tasksWithEntry(database.read, 'failures', taskIds);
    const ofTimes = await tasksWithEntry(database.read, 'run_times', taskIds);
    const removable = entries.filter(({ task_id }) => [ofHosts, ofFailures, ofTimes].every((of) => !of.has(task_id)));
    const existing = await existingTasks(
      database,
      removable.map(({ task_id }) => task_id),
    );
    // Read before: a move that begins during the removal writes an object with the results that remain.
    const objects = await storedObjectsOf(database, [...existing]);
    const waiting = new Set<number>();
    for (const id of existing) if (!(await removeLinesOf(logs, checkStore, id))) waiting.add(id);
    const finished = removable.filter(({ task_id }) => !waiting.has(task_id));
    const removed = finished.map(({ task_id }) => task_id);
    const deleted = removed.filter((id) => !existing.has(id));
    await logs.remove(deleted);
    // Afterwards, so that no log refers to a removed object.
    await queueObjectsOf(database, deleted);
    for (const { name, task_id } of objects) if (!waiting.has(task_id)) await queueObject(database, name);
    onRemoved();
    await done(finished.map(({ id }) => id));
  },
});
