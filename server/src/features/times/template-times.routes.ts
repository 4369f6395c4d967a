import type { SlowerSince } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import type { StoredRun, TimesOfRuns } from '../../times/template-times.ts';
import { readRuns, readTimes, type StoredTotal } from './stored-runs.ts';

export interface TemplateTimesDeps {
  readonly database: Database;
  /** Computes where the time goes, in the thread that reads logs. */
  readonly timesOfRuns: (runs: readonly StoredRun[]) => Promise<TimesOfRuns>;
  /** Returns what differs between two tasks of a project. */
  readonly changes: (
    projectId: number,
    earlier: number,
    later: number,
  ) => Promise<Pick<SlowerSince, 'created' | 'changed' | 'answers' | 'versions'> | undefined>;
}

/** Number of templates whose times are kept. */
const MAX_KEPT = 200;

/** The numbers of hosts of the first slower run and of the one before. */
const hostsOf = (
  runs: readonly StoredTotal[],
  { task_id, before_id }: { readonly task_id: number; readonly before_id: number },
): Pick<SlowerSince, 'hosts_before' | 'hosts_after'> => {
  const of = (id: number): number => runs.find((run) => run.task_id === id)?.hosts ?? 0;
  return { hosts_before: of(before_id), hosts_after: of(task_id) };
};

/** Route for where the time of the runs of a template goes. */
export const templateTimesRoutes = (deps: TemplateTimesDeps): Pick<Handlers, 'getTemplateTimes'> => {
  const { database, timesOfRuns, changes } = deps;
  /** Stored times never change, so the same runs have the same result. */
  const kept = new Map<number, { readonly of: string; readonly times: TimesOfRuns }>();
  const read = async (templateId: number, runs: readonly StoredTotal[]): Promise<TimesOfRuns> => {
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
        ...{
          steps: [...steps],
          hosts: [...hosts],
          slower: slower && changed ? { ...slower, ...changed, ...hostsOf(runs, slower) } : null,
        },
      };
    },
  };
};
