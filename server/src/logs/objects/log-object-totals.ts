import type { Database } from '../../database/database.ts';
import { dueBefore, type LogObject, unmovedTasks } from './log-object.store.ts';
import { readLogStoreRow } from './log-store-row.ts';

export interface LogObjectTotals {
  /** Number and compressed size of the moved logs. */
  readonly moved: number;
  readonly bytes: number;
  /** Number of logs of ended tasks that are not moved yet. */
  readonly waiting: number;
  /** Number of objects that are to be removed. */
  readonly removing: number;
}

const countUnmoved = async (database: Pick<Database, 'read'>, before: string): Promise<number> => {
  const { count } = await unmovedTasks(database, before)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Reads how many logs are due, and since when moves fail. Reads no row of a log that was moved. */
export const readDue = async (database: Pick<Database, 'read'>, hours: number | undefined, now: Date) => ({
  waiting: hours === undefined ? 0 : await countUnmoved(database, dueBefore(hours, now)),
  failingSince: (await readLogStoreRow(database))?.failing_since ?? null,
});

/** @param before only logs of tasks that ended before this time are waiting */
export const readTotals = async (database: Pick<Database, 'read'>, before: string): Promise<LogObjectTotals> => {
  const rows = await database.read
    .selectFrom('log_object')
    .select(({ fn }) => [
      'stage',
      fn.countAll<number | string>().as('count'),
      fn.sum<number | string | null>('bytes').as('bytes'),
    ])
    .groupBy('stage')
    .execute();
  const of = (stage: LogObject['stage']) => rows.find((row) => row.stage === stage);
  return {
    moved: Number(of('stored')?.count ?? 0),
    bytes: Number(of('stored')?.bytes ?? 0),
    waiting: await countUnmoved(database, before),
    removing: Number(of('removing')?.count ?? 0),
  };
};
