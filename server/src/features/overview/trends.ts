import { TREND_DAYS, type Trends } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import { sql } from 'kysely';
import type { StateReader } from '../../database/database.ts';

const MAX_FLAKY = 5;

interface Scope {
  readonly projectId: number;
  readonly hidden: ReadonlySet<number>;
  readonly now: Date;
}

const dayOf = (now: Date, ago: number): string => new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);

/** The runs that count since the begin of a day in UTC. */
const runsSince = (db: StateReader, { projectId, hidden }: Scope, day: string) =>
  db
    .selectFrom('task')
    .where('project_id', '=', projectId)
    .where('created', '>=', day)
    .where('dry_run', '=', 0)
    .where('status', 'in', ['success', 'error'])
    .$if(hidden.size > 0, (query) => query.where('template_id', 'not in', [...hidden]));

const countDays = async (db: StateReader, scope: Scope, first: string) => {
  const day = sql<string>`substr(created, 1, 10)`;
  const rows = await runsSince(db, scope, first)
    .select((eb) => [
      day.as('day'),
      eb.fn.sum(sql<number>`case when status = 'success' then 1 else 0 end`).as('success'),
      eb.fn.sum(sql<number>`case when status = 'error' then 1 else 0 end`).as('error'),
      eb.fn.count('commit_hash').distinct().as('commits'),
    ])
    .groupBy(day)
    .execute();
  return new Map(rows.map((row) => [row.day, row]));
};

/** The numbers of changed results of each day. */
const countChanges = async (db: StateReader, scope: Scope, first: string) => {
  const day = sql<string>`substr(run.created, 1, 10)`;
  const rows = await db
    .selectFrom(runsSince(db, scope, first).select(['id', 'created']).as('run'))
    .innerJoin('run_time', 'run_time.task_id', 'run.id')
    .select((eb) => [day.as('day'), eb.fn.sum('run_time.changed').as('changed')])
    .groupBy(day)
    .execute();
  return new Map(rows.map((row) => [row.day, Number(row.changed ?? 0)]));
};

/** What must be the same in two runs, so that their outcomes should be too. */
const INPUTS = [
  'commit_hash',
  'inventory_id',
  'inventory_digest',
  'environment_id',
  'environment_digest',
  'environment',
  'arguments',
  'tpl_arguments',
  'limit_hosts',
  'tags',
  'skip_tags',
] as const;

const findFlaky = async (db: StateReader, scope: Scope, first: string): Promise<Trends['flaky']> => {
  const before = (column: string) => sql`lag(${sql.ref(column)}) over (partition by template_id order by id)`;
  const isSame = sql.join(
    INPUTS.map((column) => sql`${sql.ref(column)} is not distinct from ${before(column)}`),
    sql` and `,
  );
  const runs = runsSince(db, scope, first)
    .select('template_id')
    .select(sql<number>`case when status <> ${before('status')} and ${isSame} then 1 else 0 end`.as('flip'));
  const rows = await db
    .selectFrom(runs.as('r'))
    .innerJoin('template', 'template.id', 'r.template_id')
    .select((eb) => ['r.template_id', 'template.name', eb.fn.countAll().as('runs'), eb.fn.sum('r.flip').as('flips')])
    .groupBy(['r.template_id', 'template.name'])
    .having((eb) => eb(eb.fn.sum('r.flip'), '>', 0))
    .orderBy('flips', 'desc')
    .orderBy('r.template_id')
    .limit(MAX_FLAKY)
    .execute();
  return rows.map((row) => ({ ...row, runs: Number(row.runs), flips: Number(row.flips) }));
};

/** How the runs of a project went in the last days. The database counts them. */
export const readTrends = async (db: StateReader, scope: Scope): Promise<Trends> => {
  const { now } = scope;
  const counted = await countDays(db, scope, dayOf(now, 2 * TREND_DAYS - 1));
  const changes = await countChanges(db, scope, dayOf(now, TREND_DAYS - 1));
  const days = Array.from({ length: 2 * TREND_DAYS }, (_, at) => {
    const day = dayOf(now, 2 * TREND_DAYS - 1 - at);
    const { success = 0, error = 0, commits = 0 } = counted.get(day) ?? {};
    const counts = { success: Number(success), error: Number(error), commits: Number(commits) };
    return { day, ...counts, changed: changes.get(day) ?? 0 };
  });
  const sumOf = (some: typeof days) => ({
    success: some.reduce((sum, { success }) => sum + success, 0),
    error: some.reduce((sum, { error }) => sum + error, 0),
  });
  const last = days.slice(TREND_DAYS);
  return {
    ...sumOf(last),
    before: sumOf(days.slice(0, TREND_DAYS)),
    days: last,
    flaky: await findFlaky(db, scope, last[0]?.day ?? ''),
  };
};
