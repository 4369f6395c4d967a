import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { LogObjectTable } from '../../database/log-store.schema.ts';

export type LogObject = Selectable<LogObjectTable>;

const HOUR_MS = 3_600_000;
/** Objects and tasks per query. */
const PAGE = 100;
/** Tasks per statement, because databases limit the number of values. */
const CHUNK = 500;

/** Stores that an object will be written, so that it is found again after a crash. */
export const insertObject = async ({ autocommit }: Database, object: Omit<LogObject, 'stage'>): Promise<void> => {
  await autocommit
    .insertInto('log_object')
    .values({ ...object, stage: 'writing' })
    .execute();
};

/** Stores that nothing of the log of a task has to be moved any more. */
export const setMoved = async ({ autocommit }: Database, taskId: number): Promise<void> => {
  await autocommit.updateTable('task').set({ log_moved: 1 }).where('id', '=', taskId).execute();
};

/** Stores that the log is in the object, unless the log is being removed. */
export const finishObject = (database: Database, { name, task_id }: Omit<LogObject, 'stage'>): Promise<void> =>
  database.write(async (tx) => {
    await tx
      .updateTable('log_object')
      .set({ stage: 'stored' })
      .where('name', '=', name)
      .where('stage', '=', 'writing')
      .execute();
    await tx.updateTable('task').set({ log_moved: 1 }).where('id', '=', task_id).execute();
  });

export const queueObject = async ({ autocommit }: Database, name: string): Promise<void> => {
  await autocommit.updateTable('log_object').set({ stage: 'removing' }).where('name', '=', name).execute();
};

/** Queues the removal of the objects of some tasks. */
export const queueObjectsOf = async ({ autocommit }: Database, taskIds: readonly number[]): Promise<void> => {
  for (let start = 0; start < taskIds.length; start += CHUNK)
    await autocommit
      .updateTable('log_object')
      .set({ stage: 'removing' })
      .where('task_id', 'in', taskIds.slice(start, start + CHUNK))
      .execute();
};

/** The objects in which the logs of some tasks are, without those that are being written. */
export const storedObjectsOf = async ({ read }: Pick<Database, 'read'>, taskIds: readonly number[]) => {
  if (taskIds.length === 0) return [];
  return await read
    .selectFrom('log_object')
    .select(['name', 'task_id'])
    .where('task_id', 'in', taskIds)
    .where('stage', '=', 'stored')
    .execute();
};

export const deleteLogObject = async ({ autocommit }: Database, name: string): Promise<void> => {
  await autocommit.deleteFrom('log_object').where('name', '=', name).execute();
};

/** Lists some objects that are not finished, by name. */
export const unfinishedObjects = (
  { read }: Pick<Database, 'read'>,
  stage: 'writing' | 'removing',
  after: string,
): Promise<LogObject[]> =>
  read
    .selectFrom('log_object')
    .selectAll()
    .where('stage', '<>', sql.lit('stored'))
    .where('stage', '=', stage)
    .where('name', '>', after)
    .orderBy('name')
    .limit(PAGE)
    .execute();

/** Logs of tasks that ended before this time are due. */
export const dueBefore = (hours: number, now: Date): string => new Date(now.getTime() - hours * HOUR_MS).toISOString();

/** The tasks that ended before a time and whose logs were not moved. */
export const unmovedTasks = ({ read }: Pick<Database, 'read'>, before: string) =>
  read
    .selectFrom('task')
    .where('log_moved', '=', sql.lit(0))
    .where('log_removed', '=', sql.lit(0))
    .where('end_time', 'is not', null)
    // Only a task that has ended has this time. A condition on the status would lead SQLite to the index of all ended tasks.
    .where('end_time', '<=', before);

/** Lists some tasks that ended before a time and whose logs were not moved, in the order of their ends. */
export const tasksToMove = async (
  database: Pick<Database, 'read'>,
  before: string,
  skipped: ReadonlySet<number>,
): Promise<number[]> => {
  const rows = await unmovedTasks(database, before)
    .select('id')
    .orderBy('end_time')
    .limit(PAGE + skipped.size)
    .execute();
  return rows.map(({ id }) => id).filter((id) => !skipped.has(id));
};
