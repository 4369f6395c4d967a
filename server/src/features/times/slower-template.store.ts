import type { Database } from '../../database/database.ts';
import { lowerMedian } from '../../median.ts';
import { slowerSince } from '../../times/slower-since.ts';
import type { StoredRun, TimesOfRuns } from '../../times/template-times.ts';
import { readRuns, readTimes } from './stored-runs.ts';

export interface SlowerDeps {
  readonly database: Database;
  /** Computes where the time goes, in the thread that reads logs. */
  readonly timesOfRuns: (runs: readonly StoredRun[]) => Promise<TimesOfRuns>;
}

/**
 * Stores from which run on a template is slower, after one of its runs has ended. The times of steps are read only when the
 * first slower run is a new one.
 */
export const storeSlower = async ({ database, timesOfRuns }: SlowerDeps, template_id: number): Promise<void> => {
  const { read } = database;
  const runs = await readRuns(read, template_id);
  const totals = runs.map(({ total }) => total);
  const at = slowerSince(totals);
  const [before, first] = [runs[(at ?? 0) - 1], runs[at ?? -1]];
  const known = await read
    .selectFrom('slower_template')
    .select(['task_id', 'step'])
    .where('template_id', '=', template_id)
    .executeTakeFirst();
  if (at === undefined || !before || !first) {
    if (known) await database.autocommit.deleteFrom('slower_template').where('template_id', '=', template_id).execute();
    return;
  }
  const findStep = async () => (await timesOfRuns(await readTimes(read, runs))).slower?.steps[0]?.name ?? '';
  const row = {
    ...{ task_id: first.task_id, before_id: before.task_id },
    ...{ before_ms: lowerMedian(totals.slice(0, at)), after_ms: lowerMedian(totals.slice(at)) },
    step: known?.task_id === first.task_id ? known.step : await findStep(),
  };
  await database.write(async (tx) => {
    // A user may have deleted one of the tasks meanwhile.
    const tasks = await tx.selectFrom('task').select('id').where('id', 'in', [row.task_id, row.before_id]).execute();
    if (tasks.length < 2) return;
    await tx
      .insertInto('slower_template')
      .values({ template_id, ...row })
      .onConflict((conflict) => conflict.column('template_id').doUpdateSet(row))
      .execute();
  });
};
