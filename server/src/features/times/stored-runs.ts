import { MAX_COMPARED_RUNS } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import type { StoredRun } from '../../times/template-times.ts';

/** The time of a run, without those of its steps. */
export type StoredTotal = Omit<StoredRun, 'times'> & { readonly hosts: number };

/** Newest successful runs whose most frequent options are those that are compared. */
const RECENT = 20;

/**
 * The options that most of the newest runs had, or the newest ones of them: a few runs with a limit show nothing about the
 * others. Undefined without a run.
 */
const usualOptions = (recent: readonly string[]): string | undefined => {
  const counts = new Map<string, number>();
  for (const options of recent) counts.set(options, (counts.get(options) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return recent.find((options) => counts.get(options) === most);
};

/** Returns the newest successful runs with the options that most runs have, the oldest first. */
export const readRuns = async (db: StateReader, templateId: number): Promise<StoredTotal[]> => {
  const succeeded = db
    .selectFrom('run_time')
    .where('template_id', '=', templateId)
    .where('succeeded', '=', 1)
    .orderBy('task_id', 'desc');
  const recent = await succeeded.select('options').limit(RECENT).execute();
  const options = usualOptions(recent.map((run) => run.options));
  if (options === undefined) return [];
  const rows = await succeeded
    .select(['task_id', 'total', 'hosts'])
    .where('options', '=', options)
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
