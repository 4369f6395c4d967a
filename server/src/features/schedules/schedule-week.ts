import { MAX_WEEK_DAYS, type ScheduleBlock, type ScheduleWeek } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import type { Database } from '../../database/database.ts';
import { newestOfEach } from '../../database/queries/newest-of-each.ts';
import { badField } from '../../http/errors/api-error.ts';
import { upperMedian } from '../../median.ts';
import { WorkSlice } from '../../work-slice.ts';
import { type ScheduleRow, startOf } from './schedule.store.ts';
import { namedLaunches, valuesOf } from './schedule-saved-launch.ts';
import { timingOf } from './timing.ts';
import { readWeekFreezes } from './week-freezes.ts';

/** A schedule with more due times than this in a week has no blocks: four a day. */
const FREQUENT = 28;

/** Maximum number of blocks of one answer. */
const MAX_BLOCKS = 5000;

/** Number of tasks of each template from which the usual duration is taken. */
const MEASURED = 10;

const NO_TASK = { task_id: null, status: null } as const;

interface WeekRequest {
  readonly from?: string | undefined;
  /** Default: a week later. */
  readonly to?: string | undefined;
  readonly timezone: string;
  readonly now: Date;
  /** Without the schedules of these templates. */
  readonly hidden: ReadonlySet<number>;
}

interface Week extends WeekRequest {
  readonly from: string;
  readonly to: string;
}

const secondsBetween = (start: string | null, end: string | null): number | null =>
  start === null || end === null ? null : (Date.parse(end) - Date.parse(start)) / 1000;

/** The median duration of the newest successful tasks of each template, in seconds. */
const usualSeconds = async (database: Database, projectId: number): Promise<ReadonlyMap<number, number>> => {
  const rows = await newestOfEach(database, projectId, MEASURED)
    .select(['template.id as template_id', 'task.start_time as start', 'task.end_time as end'])
    .where('task.status', '=', 'success')
    .execute();
  const medians = new Map<number, number>();
  for (const [template, tasks] of Map.groupBy(rows, ({ template_id }) => template_id)) {
    const median = upperMedian(tasks.flatMap(({ start, end }) => secondsBetween(start, end) ?? []));
    if (median !== undefined) medians.set(template, median);
  }
  return medians;
};

/** The future due times that a schedule would have if it were not paused. Those of frequent ones are left out. */
const pausedTimes = (row: ScheduleRow, { from, to, timezone, now }: Week): Date[] => {
  if (row.active === 1) return [];
  const timing = timingOf(row, timezone);
  const end = Date.parse(to);
  const times: Date[] = [];
  let due = timing.after(new Date(Math.max(Date.parse(from), now.getTime()) - 1));
  while (due && due.getTime() < end && times.length <= FREQUENT) {
    times.push(due);
    due = timing.after(due);
  }
  return times.length > FREQUENT ? [] : times;
};

/** The last due time of a schedule, if it started no task and is in the week. */
const notStarted = ({ problem_time }: ScheduleRow, { from, to }: Week): string[] =>
  problem_time !== null && problem_time >= from && problem_time < to ? [problem_time] : [];

/** The due time in the week whose run a freeze window holds now. */
const heldTime = ({ active, held_due }: ScheduleRow, { from, to }: Week): Date[] =>
  active === 1 && held_due !== null && held_due >= from && held_due < to ? [new Date(held_due)] : [];

/** The future due times of a schedule up to a moment, at most one more than a schedule with blocks may have. */
const futureTimes = (row: ScheduleRow, { from, to, timezone, now }: Week): Date[] => {
  if (row.active === 0 || row.next_due === null) return [];
  const end = Date.parse(to);
  const begin = Math.max(Date.parse(from), now.getTime());
  const timing = timingOf(row, timezone);
  const times: Date[] = [];
  const first = new Date(row.next_due);
  // The stored due time starts with its delay.
  const start = startOf(row.next_due, row);
  if (start.getTime() >= begin && start.getTime() < end) times.push(start);
  let due = timing.after(new Date(Math.max(begin - 1, first.getTime())));
  while (due && due.getTime() < end && times.length <= FREQUENT) {
    times.push(due);
    due = timing.after(due);
  }
  return times;
};

interface Placed extends ScheduleBlock {
  readonly templateId: number;
  readonly inventoryId: number | null;
}

/** Finds blocks in the future that begin while another one still runs on the same inventory or template. */
const withOverlaps = (blocks: readonly Placed[]): ScheduleBlock[] => {
  const busy = new Map<string, { readonly end: number; readonly schedule: number }>();
  return blocks.map(({ templateId, inventoryId, ...block }) => {
    // A run that is held or skipped does not start at its due time.
    if (block.state === 'paused' || block.state === 'not_started' || block.freeze !== null) return block;
    const start = Date.parse(block.time);
    const keys = [`template ${templateId}`, ...(inventoryId === null ? [] : [`inventory ${inventoryId}`])];
    const other = keys.map((key) => busy.get(key)).find((one) => one !== undefined && one.end > start);
    const end = start + (block.seconds ?? 0) * 1000;
    for (const key of keys) if ((busy.get(key)?.end ?? 0) < end) busy.set(key, { end, schedule: block.schedule_id });
    return { ...block, overlaps: block.task_id === null ? (other?.schedule ?? null) : null };
  });
};

const readRows = (database: Database, projectId: number) =>
  database.read
    .selectFrom('schedule')
    .innerJoin('template', 'template.id', 'schedule.template_id')
    .selectAll('schedule')
    .select('template.inventory_id')
    .where('schedule.project_id', '=', projectId)
    .orderBy('schedule.id')
    .execute();

const readTasks = (database: Database, projectId: number, { from, to }: Week) =>
  database.read
    .selectFrom('schedule')
    .innerJoin('task', 'task.schedule_id', 'schedule.id')
    .select(['task.id', 'task.schedule_id', 'task.status', 'task.created', 'task.start_time', 'task.end_time'])
    .where('schedule.project_id', '=', projectId)
    .where('task.created', '>=', from)
    .where('task.created', '<', to)
    .orderBy('task.id', 'desc')
    .limit(MAX_BLOCKS)
    .execute();

/**
 * The tasks of schedules in a week: those that were started, and those that will be, with their durations.
 * @throws bad_input for a time that is too long
 */
export const scheduleWeek = async (
  database: Database,
  projectId: number,
  asked: WeekRequest,
): Promise<ScheduleWeek> => {
  const { from = asked.now.toISOString() } = asked;
  const { to = new Date(Date.parse(from) + 7 * DAY_MS).toISOString() } = asked;
  const week = { ...asked, from, to };
  const days = (Date.parse(week.to) - Date.parse(week.from)) / DAY_MS;
  if (days <= 0) throw badField('to', 'field.after', { other: 'from' });
  if (days > MAX_WEEK_DAYS) throw badField('to', 'field.too_long_time', { max: MAX_WEEK_DAYS });
  const [rows, usual, tasks] = [
    await readRows(database, projectId),
    await usualSeconds(database, projectId),
    await readTasks(database, projectId, week),
  ];
  const launches = await namedLaunches(database.read, rows);
  const freezes = await readWeekFreezes(database.read, projectId, { from: new Date(from), to: new Date(to) }, [
    ...new Set(rows.map(({ template_id }) => template_id)),
  ]);
  const started = Map.groupBy(tasks, ({ schedule_id }) => schedule_id);
  const frequent: ScheduleWeek['frequent'] = [];
  const blocks: Placed[] = [];
  const slice = new WorkSlice();
  for (const row of rows) {
    if (week.hidden.has(row.template_id)) continue;
    const seconds = usual.get(row.template_id) ?? null;
    const past = started.get(row.id) ?? [];
    const future = futureTimes(row, week);
    const inventoryId = valuesOf(row, launches).inventory_id ?? row.inventory_id;
    const target = { templateId: row.template_id, inventoryId };
    const common = { schedule_id: row.id, overlaps: null, freeze: null, ...target };
    const freezeOf = freezes.of(target);
    if (past.length + future.length > FREQUENT) frequent.push({ schedule_id: row.id, seconds });
    else {
      for (const task of past)
        blocks.push({
          ...common,
          time: task.start_time ?? task.created,
          seconds: secondsBetween(task.start_time, task.end_time) ?? seconds,
          task_id: task.id,
          status: task.status,
          state: 'started',
        });
      for (const due of future) {
        const freeze = freezeOf(due);
        blocks.push({ ...common, ...NO_TASK, time: due.toISOString(), seconds, state: 'planned', freeze });
      }
      for (const due of heldTime(row, week)) {
        const freeze = freezeOf(week.now);
        if (freeze) blocks.push({ ...common, ...NO_TASK, time: due.toISOString(), seconds, state: 'planned', freeze });
      }
      for (const due of pausedTimes(row, week))
        blocks.push({ ...common, ...NO_TASK, time: due.toISOString(), seconds, state: 'paused' });
      for (const time of notStarted(row, week))
        blocks.push({ ...common, ...NO_TASK, time, seconds: null, state: 'not_started' });
    }
    if (slice.isOver) await slice.next();
  }
  const sorted = withOverlaps(blocks.toSorted((a, b) => (a.time < b.time ? -1 : 1)));
  return { blocks: sorted.slice(0, MAX_BLOCKS), frequent, freezes: freezes.times, more: sorted.length > MAX_BLOCKS };
};
