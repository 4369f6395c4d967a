import { FINAL_STATUSES } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { LogStore } from '../../logs/log-store.ts';
import { WorkSlice } from '../../work-slice.ts';
import type { RetentionSources } from './expired-tasks.ts';
import { measureHosts } from './measure-hosts.ts';
import { protectedTasks } from './protected-tasks.ts';
import { type Retention, readRetentions } from './retention-settings.ts';
import { buildCurve, type MeasuredTask, removedBy } from './storage-curve.ts';

export interface MeasuringDeps extends RetentionSources {
  readonly logs: Pick<LogStore, 'sizes'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly system: Retention;
}

type Template = Awaited<ReturnType<typeof readRetentions>>[number];

/** Days of the growth and of the forecast. */
const SPAN_DAYS = 30;
/** Tasks per query. Few, so that calls are answered in between. */
const PAGE = 500;
/** Tasks per transaction. */
const CHUNK = 100;

const pageOf = ({ read }: Database, templateId: number, after: number) =>
  read
    .selectFrom('task')
    .select(['id', 'created', 'end_time', 'log_removed', 'kept', 'log_bytes', 'result_bytes'])
    .where('template_id', '=', templateId)
    .where('id', '>', after)
    .where('status', 'in', FINAL_STATUSES)
    .orderBy('id')
    .limit(PAGE)
    .execute();

/** Stores the sizes of tasks that have none. They never change after the end of a task. */
const storeSizes = async ({ database, logs }: MeasuringDeps, ids: readonly number[]) => {
  const sizes = await logs.sizes(ids);
  for (let start = 0; start < sizes.length; start += CHUNK)
    await database.write(async (tx) => {
      for (const { taskId, lines, results } of sizes.slice(start, start + CHUNK))
        await tx
          .updateTable('task')
          .set({ log_bytes: lines, result_bytes: results })
          .where('id', '=', taskId)
          .execute();
    });
  return new Map(sizes.map((size) => [size.taskId, size]));
};

/** Reads the sizes of all ended tasks of a template, the oldest first; undefined if it was aborted. */
const readTasks = async (
  deps: MeasuringDeps,
  templateId: number,
  signal: AbortSignal,
): Promise<MeasuredTask[] | undefined> => {
  const protectedIds = await protectedTasks(deps.database, deps.unfixedRuns, templateId);
  const now = deps.clock.now().getTime();
  const tasks: MeasuredTask[] = [];
  for (let after = 0; !signal.aborted; ) {
    const rows = await pageOf(deps.database, templateId, after);
    const unknown = rows.filter(({ log_bytes }) => log_bytes === null).map(({ id }) => id);
    const sizes = await storeSizes(deps, unknown);
    for (const row of rows)
      tasks.push({
        age: (now - Date.parse(row.end_time ?? row.created)) / DAY_MS,
        isProtected: row.kept === 1 || protectedIds.has(row.id),
        hasLog: row.log_removed === 0,
        logBytes: Number(row.log_bytes ?? sizes.get(row.id)?.lines ?? 0),
        resultBytes: Number(row.result_bytes ?? sizes.get(row.id)?.results ?? 0),
      });
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return tasks;
    after = last.id;
  }
  return undefined;
};

const sumOf = async (tasks: readonly MeasuredTask[]) => {
  const slice = new WorkSlice();
  let [logs, log_bytes, result_bytes, written, recent, removed] = [0, 0, 0, 0, 0, 0];
  for (const { age, hasLog, logBytes, resultBytes } of tasks) {
    if (slice.isOver) await slice.next();
    logs += hasLog ? 1 : 0;
    log_bytes += hasLog ? logBytes : 0;
    result_bytes += resultBytes;
    if (age > SPAN_DAYS) continue;
    recent += 1;
    written += logBytes + resultBytes;
    removed += hasLog ? 0 : logBytes;
  }
  return { sizes: { logs, log_bytes, result_bytes, written }, recent, removed };
};

const measureTemplate = async (deps: MeasuringDeps, template: Template, signal: AbortSignal): Promise<void> => {
  const tasks = await readTasks(deps, template.id, signal);
  if (!tasks) return;
  const curve = await buildCurve(tasks);
  const { sizes, recent, removed } = await sumOf(tasks);
  // The tasks of the next 30 days are expected to be like those of the last 30: as many of them are among the newest
  // ones, and retention removes as much of their logs.
  const then = { ...template, leastTasks: Math.max(0, template.leastTasks - recent) };
  const values = {
    tasks: tasks.length,
    ...sizes,
    expiring: removedBy(curve, then, SPAN_DAYS).bytes - removedBy(curve, template).bytes + removed,
    curve: JSON.stringify(curve),
    measured: deps.clock.now().toISOString(),
  };
  await deps.database.write(async (tx) => {
    // It may have been deleted meanwhile.
    const found = await tx.selectFrom('template').select('id').where('id', '=', template.id).executeTakeFirst();
    if (!found) return;
    await tx
      .insertInto('template_storage')
      .values({ template_id: template.id, project_id: template.projectId, ...values })
      .onConflict((oc) => oc.column('template_id').doUpdateSet(values))
      .execute();
  });
};

/** Measures what all templates and hosts use, in small steps, on the server that has swept. */
export const measureStorage = async (deps: MeasuringDeps, signal: AbortSignal): Promise<void> => {
  for (const template of await readRetentions(deps.database, deps.system)) {
    if (signal.aborted) return;
    await measureTemplate(deps, template, signal);
  }
  await measureHosts(deps, signal);
};
