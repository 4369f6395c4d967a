import type { TaskStatistics } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import type { Database } from '../../database/database.ts';
import { upperMedian } from '../../median.ts';

/** Maximum number of counted tasks, so that the cost is limited. */
const MAX_COUNTED = 5000;
const BUSIEST = 8;

/** The fields of a task that are counted. */
export interface CountedTask {
  readonly template_id: number;
  readonly tpl_alias: string;
  readonly status: string;
  readonly created: string;
  readonly start_time: string | null;
  readonly end_time: string | null;
}

/** Median duration of the successful tasks, in seconds with one decimal. */
const usualSeconds = (tasks: readonly CountedTask[]): number | null => {
  const median = upperMedian(
    tasks.flatMap(({ status, start_time, end_time }) =>
      status === 'success' && start_time !== null && end_time !== null
        ? [Math.max(0, Date.parse(end_time) - Date.parse(start_time))]
        : [],
    ),
  );
  return median === undefined ? null : Math.round(median / 100) / 10;
};

const countOf = (tasks: readonly CountedTask[], wanted: string): number =>
  tasks.filter(({ status }) => status === wanted).length;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The start of the oldest counted day in UTC. */
const firstMoment = (now: Date, days: number): string => `${dayOf(now.getTime() - (days - 1) * DAY_MS)}T00:00:00.000Z`;

/**
 * Counts ended tasks, given newest first, by day and by template.
 * @param isCut whether older tasks were left out; the oldest day is then incomplete and omitted
 */
export const countTasks = (tasks: readonly CountedTask[], now: Date, days: number, isCut: boolean): TaskStatistics => {
  const byDay = Map.groupBy(tasks, ({ created }) => created.slice(0, 10));
  const all = Array.from({ length: days }, (_, at) => dayOf(now.getTime() - (days - 1 - at) * DAY_MS));
  const oldest = tasks.at(-1)?.created.slice(0, 10) ?? '';
  const whole = isCut ? all.filter((day) => day > oldest) : all;
  const templates = [...Map.groupBy(tasks, ({ template_id }) => template_id)].map(([template_id, its]) => ({
    template_id,
    // The newest task has the current name.
    name: its[0]?.tpl_alias ?? '',
    tasks: its.length,
    succeeded: countOf(its, 'success'),
    failed: countOf(its, 'error'),
    seconds: usualSeconds(its),
  }));
  return {
    days: whole.map((day) => {
      const its = byDay.get(day) ?? [];
      return {
        day,
        success: countOf(its, 'success'),
        error: countOf(its, 'error'),
        stopped: countOf(its, 'stopped'),
        seconds: usualSeconds(its),
      };
    }),
    templates: templates.sort((a, b) => b.tasks - a.tasks || a.template_id - b.template_id).slice(0, BUSIEST),
  };
};

/** The project whose tasks are counted, without those of hidden templates. */
interface Counted {
  readonly projectId: number;
  readonly hidden: ReadonlySet<number>;
}

/** The newest ended tasks of a project that were created since a time. Uses the index on that time. */
const countedTasksQuery = (database: Database, { projectId, hidden }: Counted, since: string) =>
  database.read
    .selectFrom('task')
    .select(['template_id', 'tpl_alias', 'status', 'created', 'start_time', 'end_time'])
    .where('project_id', '=', projectId)
    .where('created', '>=', since)
    .$if(hidden.size > 0, (query) => query.where('template_id', 'not in', [...hidden]))
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_COUNTED);

/** Returns the outcomes of the tasks of a project in the last days. */
export const taskStatistics = async (
  database: Database,
  projectId: number,
  now: Date,
  days: number,
  hidden: ReadonlySet<number>,
): Promise<TaskStatistics> => {
  const rows = await countedTasksQuery(database, { projectId, hidden }, firstMoment(now, days)).execute();
  const ended = rows.filter(({ end_time }) => end_time !== null);
  return countTasks(ended, now, days, rows.length === MAX_COUNTED);
};
