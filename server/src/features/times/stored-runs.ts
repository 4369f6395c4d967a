import { MAX_COMPARED_RUNS } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import type { StoredRun } from '../../times/template-times.ts';

/** The time of a run, without those of its steps. */
export type StoredTotal = Omit<StoredRun, 'times'> & { readonly hosts: number };

/** Returns the newest successful runs with the options of the newest one, the oldest first. */
export const readRuns = async (db: StateReader, templateId: number): Promise<StoredTotal[]> => {
  const succeeded = db
    .selectFrom('run_time')
    .where('template_id', '=', templateId)
    .where('succeeded', '=', 1)
    .orderBy('task_id', 'desc');
  const newest = await succeeded.select('options').limit(1).executeTakeFirst();
  if (!newest) return [];
  const rows = await succeeded
    .select(['task_id', 'total', 'hosts'])
    .where('options', '=', newest.options)
    .limit(MAX_COMPARED_RUNS)
    .execute();
  return rows.reverse().map(({ task_id, total, hosts }) => ({ task_id, total: Number(total), hosts }));
};

/** Adds the times of the steps. */
export const readTimes = async (db: StateReader, runs: readonly StoredTotal[]): Promise<StoredRun[]> => {
  if (runs.length === 0) return [];
  const ids = runs.map(({ task_id }) => task_id);
  const rows = await db.selectFrom('run_time').select(['task_id', 'times']).where('task_id', 'in', ids).execute();
  const times = new Map(rows.map((row) => [row.task_id, row.times]));
  // A user may have deleted a task meanwhile.
  return runs.flatMap((run) => {
    const own = times.get(run.task_id);
    return own === undefined ? [] : [{ ...run, times: own }];
  });
};
