import type { HostSummary } from '@signalbox/contract';
import type { StateReader } from '../../../database/database.ts';
import { type Hidden, vanishedSince } from './host-filter.ts';

const MOMENTS = ['last_success', 'last_change', 'last_failure'] as const;

/** Ids per query. */
const IDS = 500;

/** A time in milliseconds since 1970, or as text, with the id of the task. */
type Moment = readonly [time: string, task: number | null] | null;

interface Found {
  readonly id: number;
  readonly host: string;
  readonly moments: Readonly<Record<(typeof MOMENTS)[number] | 'last_run', Moment>>;
  readonly vanished: string | null;
}

const timeOf = (ms: unknown): string => new Date(Number(ms)).toISOString();

const hostRows = (db: StateReader, ids: readonly number[]) =>
  db
    .selectFrom('host')
    .select(['id', 'host', ...MOMENTS, 'last_success_task', 'last_change_task', 'last_failure_task'])
    .select(vanishedSince.as('vanished'))
    .where('id', 'in', [...ids])
    .execute();

const templateRows = (db: StateReader, ids: readonly number[], hidden: Hidden) =>
  db
    .selectFrom('host_state')
    .select(['host_id', 'task_id as last_run_task', 'ended as last_run', ...MOMENTS])
    .select(['last_success_task', 'last_change_task', 'last_failure_task'])
    .where('host_id', 'in', [...ids])
    .$if(hidden.size > 0, (query) => query.where('template_id', 'not in', [...hidden]))
    .execute();

const readPart = async (db: StateReader, ids: readonly number[], hidden: Hidden): Promise<Found[]> => {
  const rows = await hostRows(db, ids);
  const runs = Map.groupBy(await templateRows(db, ids, hidden), ({ host_id }) => host_id);
  return rows.map((row) => {
    const own = runs.get(row.id) ?? [];
    const newest = (name: (typeof MOMENTS)[number] | 'last_run'): Moment => {
      const found = own.filter((run) => run[name] !== null).sort((a, b) => Number(b[name]) - Number(a[name]))[0];
      return found ? [timeOf(found[name]), found[`${name}_task`]] : null;
    };
    const last_run = newest('last_run');
    const moment = (name: (typeof MOMENTS)[number]): Moment => {
      // The history of the host has runs of all templates, also those from before there was a past of each template.
      if (hidden.size > 0) return newest(name);
      const time = row[name];
      return time === null ? null : [time, row[`${name}_task`]];
    };
    const vanished = row.vanished === null ? null : timeOf(row.vanished);
    return {
      ...{ id: row.id, host: row.host },
      moments: {
        last_run,
        last_success: moment('last_success'),
        last_change: moment('last_change'),
        last_failure: moment('last_failure'),
      },
      // A host that a later run reached is in an inventory again.
      vanished: vanished !== null && vanished >= (last_run?.[0] ?? '') ? vanished : null,
    };
  });
};

/** End times of tasks that the caller may see, by id; deleted tasks are missing. */
const readEnds = async (db: StateReader, ids: readonly number[], hidden: Hidden) => {
  const ends = new Map<number, string | null>();
  for (let at = 0; at < ids.length; at += IDS) {
    const tasks = await db
      .selectFrom('task')
      .select(['id', 'end_time'])
      .where('id', 'in', ids.slice(at, at + IDS))
      .$if(hidden.size > 0, (query) => query.where('template_id', 'not in', [...hidden]))
      .execute();
    for (const { id, end_time } of tasks) ends.set(id, end_time);
  }
  return ends;
};

/** Reads hosts with their moments, by id. Only runs of templates that the caller may see count. */
export const readMoments = async (
  db: StateReader,
  ids: readonly number[],
  hidden: Hidden,
): Promise<ReadonlyMap<number, HostSummary>> => {
  const found: Found[] = [];
  for (let at = 0; at < ids.length; at += IDS) found.push(...(await readPart(db, ids.slice(at, at + IDS), hidden)));
  const tasks = new Set(found.flatMap(({ moments }) => Object.values(moments).flatMap((moment) => moment?.[1] ?? [])));
  const ends = await readEnds(db, [...tasks], hidden);
  // Older databases may have reused the id of a deleted task: a task with another end time is another one.
  const shown = (moment: Moment) =>
    moment && { time: moment[0], task_id: ends.get(moment[1] ?? 0) === moment[0] ? moment[1] : null };
  return new Map(
    found.map(({ id, host, moments, vanished }) => [
      id,
      {
        ...{ id, host, vanished_since: vanished },
        last_success: shown(moments.last_success),
        last_change: shown(moments.last_change),
        last_failure: shown(moments.last_failure),
        last_run: shown(moments.last_run),
      },
    ]),
  );
};
