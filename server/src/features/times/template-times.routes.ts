import { MAX_COMPARED_RUNS, type SlowerSince } from '@signalbox/contract';
import type { Database, StateReader } from '../../database/database.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import type { StoredRun, TimesOfRuns } from '../../times/template-times.ts';

export interface TemplateTimesDeps {
  readonly database: Database;
  /** Computes where the time goes, in the thread that reads logs. */
  readonly timesOfRuns: (runs: readonly StoredRun[]) => Promise<TimesOfRuns>;
  /** Returns what differs between two tasks of a project. */
  readonly changes: (
    projectId: number,
    earlier: number,
    later: number,
  ) => Promise<Pick<SlowerSince, 'created' | 'changed' | 'answers'> | undefined>;
}

/** Number of templates whose times are kept. */
const MAX_KEPT = 200;

type Run = Omit<StoredRun, 'times'>;

/** Returns the newest successful runs with the options of the newest one, the oldest first. */
const readRuns = async (db: StateReader, templateId: number): Promise<Run[]> => {
  const succeeded = db
    .selectFrom('run_time')
    .where('template_id', '=', templateId)
    .where('succeeded', '=', 1)
    .orderBy('task_id', 'desc');
  const newest = await succeeded.select('options').limit(1).executeTakeFirst();
  if (!newest) return [];
  const rows = await succeeded
    .select(['task_id', 'total'])
    .where('options', '=', newest.options)
    .limit(MAX_COMPARED_RUNS)
    .execute();
  return rows.reverse().map(({ task_id, total }) => ({ task_id, total: Number(total) }));
};

const readTimes = async (db: StateReader, runs: readonly Run[]): Promise<StoredRun[]> => {
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

/** Route for where the time of the runs of a template goes. */
export const templateTimesRoutes = (deps: TemplateTimesDeps): Pick<Handlers, 'getTemplateTimes'> => {
  const { database, timesOfRuns, changes } = deps;
  /** Stored times never change, so the same runs have the same result. */
  const kept = new Map<number, { readonly of: string; readonly times: TimesOfRuns }>();
  const read = async (templateId: number, runs: readonly Run[]): Promise<TimesOfRuns> => {
    const of = runs.map(({ task_id }) => task_id).join();
    const known = kept.get(templateId);
    const times = known?.of === of ? known.times : await timesOfRuns(await readTimes(database.read, runs));
    kept.delete(templateId);
    kept.set(templateId, { of, times });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return times;
  };
  return {
    getTemplateTimes: async ({ params: { project_id, template_id } }) => {
      if (!(await belongsTo(database.read, 'template', template_id, project_id))) throw notFound();
      const runs = await readRuns(database.read, template_id);
      const { steps, hosts, slower } = await read(template_id, runs);
      const changed = slower && (await changes(project_id, slower.before_id, slower.task_id));
      return {
        runs: runs.map(({ task_id, total: ms }) => ({ task_id, ms })),
        ...{ steps: [...steps], hosts: [...hosts], slower: slower && changed ? { ...slower, ...changed } : null },
      };
    },
  };
};
