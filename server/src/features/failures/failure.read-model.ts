import { type Failure, type FailureRemark, type FailureTrend, MAX_FAILURE_DAYS } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { StateReader } from '../../database/database.ts';
import { isUnfixed } from '../../failures/may-fix.ts';
import { isCountedRun } from './counted-runs.ts';
import type { FailureRow } from './failure.store.ts';
import { assignmentOf } from './failure-assignment.ts';
import { isKnown, isKnownRow } from './known-failure.ts';

export interface FailureQuery {
  readonly projectId: number;
  /** Templates whose tasks do not count, because the caller must not see them. */
  readonly hidden: ReadonlySet<number>;
  readonly now: Date;
  readonly ids?: readonly number[];
  readonly fingerprints?: readonly string[];
  readonly templateId?: number | undefined;
  readonly trend?: FailureTrend | undefined;
  readonly cause?: FailureRow['cause'] | undefined;
  readonly known?: boolean | undefined;
  /** Whether the failures are not fixed. */
  readonly open?: boolean | undefined;
  /** Whether a text matches a search. */
  readonly search?: ((column: RawBuilder<unknown>) => RawBuilder<SqlBool>) | undefined;
}

/** What users wrote about a failure. `commit` is that of the task for which it is shown. */
const remarkOf = (
  row: FailureRow & { readonly assignee_name: string | null; readonly trend: FailureTrend },
  commit: string | null,
  now: Date,
): FailureRemark => ({
  note: row.note,
  note_by: row.note_by,
  note_at: row.note_at,
  known: isKnown(row, commit, now),
  known_until: row.known_until,
  known_commit: row.known_commit,
  known_by: row.known_by,
  known_at: row.known_at,
  assignment: assignmentOf(row, row.trend),
});

const UNFIXED = isUnfixed('l');

const TREND = sql<FailureTrend>`case when not ${UNFIXED} then 'gone' when l.times = 1 then 'new'
  when l.streak = 1 then 'returned' else 'ongoing' end`;

/**
 * The failures that match, each with the counts of the tasks that the caller can see. Several templates can have the same
 * failure: `l` is the last one in which it is not fixed, or else the last one.
 */
const matching = (db: StateReader, query: FailureQuery) => {
  const { projectId, hidden, now, ids, fingerprints, templateId, trend, cause, known, open, search } = query;
  return db
    .selectFrom('failure as f')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('failure_template as o')
          .innerJoin('failure as p', 'p.id', 'o.failure_id')
          .select(['o.failure_id'])
          .select((e) => [
            e.fn.sum('o.times').as('times'),
            e.fn.min('o.since').as('since'),
            e.fn.min('o.first_task_id').as('first_task_id'),
            sql<number>`coalesce(max(case when ${isUnfixed('o')} then o.last_task_id end),
              max(o.last_task_id))`.as('shown_task_id'),
          ])
          .where('p.project_id', '=', projectId)
          .$if(hidden.size > 0, (q) => q.where('o.template_id', 'not in', [...hidden]))
          .$if(templateId !== undefined, (q) => q.where('o.template_id', '=', templateId ?? 0))
          .groupBy('o.failure_id')
          .as('s'),
      (join) => join.onRef('s.failure_id', '=', 'f.id'),
    )
    .innerJoin('failure_template as l', (join) =>
      join.onRef('l.failure_id', '=', 'f.id').onRef('l.last_task_id', '=', 's.shown_task_id'),
    )
    .leftJoin('task as t', 't.id', 'l.last_task_id')
    .leftJoin('users as u', 'u.id', 'f.assignee_id')
    .where('f.project_id', '=', projectId)
    .$if(ids !== undefined, (q) => q.where('f.id', 'in', [...(ids ?? [])]))
    .$if(fingerprints !== undefined, (q) => q.where('f.fingerprint', 'in', [...(fingerprints ?? [])]))
    .$if(cause !== undefined, (q) => q.where('f.cause', '=', cause ?? null))
    .$if(trend !== undefined, (q) => q.where(TREND, '=', trend as FailureTrend))
    .$if(open !== undefined, (q) => q.where(open ? UNFIXED : sql<SqlBool>`not ${UNFIXED}`))
    .$if(known !== undefined, (q) => q.where(known ? isKnownRow(now) : sql<SqlBool>`not ${isKnownRow(now)}`))
    .$if(search !== undefined, (q) =>
      q.where((eb) => eb.or(search ? ['l.title', 'l.step', 'f.note'].map((column) => search(sql.ref(column))) : [])),
    );
};

/** Number of tasks with each failure on each of the last days in UTC, today last. */
const countDays = async (
  db: StateReader,
  ids: readonly number[],
  { hidden, now, templateId }: FailureQuery,
): Promise<ReadonlyMap<number, number[]>> => {
  const dayOf = (ago: number): string => new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
  const days = Array.from({ length: MAX_FAILURE_DAYS }, (_, at) => dayOf(MAX_FAILURE_DAYS - 1 - at));
  const day = sql<string>`substr(task_failure.ended, 1, 10)`;
  const rows = await db
    .selectFrom('task_failure')
    .innerJoin('task', 'task.id', 'task_failure.task_id')
    .where(isCountedRun('task'))
    .select(['failure_id', day.as('day')])
    .select((eb) => eb.fn.countAll().as('count'))
    .where('failure_id', 'in', [...ids])
    .where('ended', '>=', days[0] ?? '')
    .$if(hidden.size > 0, (q) => q.where('task_failure.template_id', 'not in', [...hidden]))
    .$if(templateId !== undefined, (q) => q.where('task_failure.template_id', '=', templateId ?? 0))
    .groupBy(['failure_id', day])
    .execute();
  const counts = new Map(ids.map((id) => [id, days.map(() => 0)]));
  for (const row of rows) {
    const at = days.indexOf(row.day);
    const own = counts.get(row.failure_id);
    if (own && at >= 0) own[at] = Number(row.count);
  }
  return counts;
};

const existing = async (db: StateReader, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  const rows = await db
    .selectFrom('task')
    .select('id')
    .where('id', 'in', [0, ...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
};

/** A page of the failures that match: those on the most hosts first, or else the last seen first. */
export const findFailures = async (
  db: StateReader,
  query: FailureQuery,
  { first, limit, largest = false }: { readonly first: number; readonly limit: number; readonly largest?: boolean },
): Promise<{ total: number; failures: Failure[] }> => {
  if (query.ids?.length === 0 || query.fingerprints?.length === 0) return { total: 0, failures: [] };
  const counted = await matching(db, query)
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await matching(db, query)
    .selectAll('f')
    .select([
      's.times',
      's.since',
      's.first_task_id',
      'l.last_task_id',
      'l.last',
      'l.template_id',
      'l.hosts',
      'l.fixed_by',
    ])
    .select(['l.title as last_title', 'l.step as last_step'])
    .select(['t.commit_hash', 'u.name as assignee_name', TREND.as('trend'), 'l.open_count'])
    .$if(largest, (q) => q.orderBy('l.open_count', 'desc'))
    .orderBy('l.last', 'desc')
    .orderBy('f.id', 'desc')
    .limit(limit)
    .offset(first - 1)
    .execute();
  if (rows.length === 0) return { total: Number(counted.total), failures: [] };
  const ids = rows.map(({ id }) => id);
  const days = await countDays(db, ids, query);
  const tasks = await existing(
    db,
    rows.flatMap((row) => [row.first_task_id, row.last_task_id, row.fixed_by ?? 0]),
  );
  const idOf = (id: number): number | null => (tasks.has(id) ? id : null);
  const failures = rows.map((row): Failure => {
    const { id, project_id, fingerprint, result, cause, action, trend, template_id, hosts } = row;
    return {
      ...{ id, project_id, fingerprint, result, cause, action, trend, template_id, hosts },
      ...{ title: row.last_title, step: row.last_step, open_hosts: row.open_count },
      days: days.get(id) ?? [],
      seen: {
        times: Number(row.times),
        since: row.since,
        last: row.last,
        first_task_id: idOf(row.first_task_id),
        last_task_id: idOf(row.last_task_id),
        fixed_by: row.fixed_by === null ? null : idOf(row.fixed_by),
      },
      remark: remarkOf(row, row.commit_hash ?? null, query.now),
    };
  });
  return { total: Number(counted.total), failures };
};

/** The failures that are neither fixed nor known, those on the most hosts first. */
export const findOpenFailures = (
  db: StateReader,
  scope: Pick<FailureQuery, 'projectId' | 'hidden' | 'now'>,
  limit: number,
): Promise<{ total: number; failures: Failure[] }> =>
  findFailures(db, { ...scope, open: true, known: false }, { first: 1, limit, largest: true });
