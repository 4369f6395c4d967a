import { MAX_ID } from '@signalbox/contract';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '../database/database.ts';
import { listEventsQuery } from '../features/events/events.routes.ts';
import { listTasksQuery, type TaskFilter, withIdsOfSpan } from '../features/tasks/task.read-model.ts';
import { listOutcomes, outcomesQuery } from '../features/tasks/task-outcomes.ts';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { countRows, eachPlanProblems, planProblems } from '../testing/database/query-plan.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { startTestServer } from '../testing/test-server.ts';

const TASKS = 20_000;
/** Rare values belong to the oldest rows, so a scan from the newest row reads all others first. */
const RARE = 160;

interface Ids {
  readonly common: { readonly projectId: number; readonly templateId: number; readonly userId: number };
  readonly rare: { readonly projectId: number; readonly templateId: number; readonly userId: number };
}

const seed = async (db: Kysely<never>, { common, rare }: Ids): Promise<void> => {
  const counted = sql`with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ${sql.lit(TASKS)})`;
  const pick = (isRare: ReturnType<typeof sql>, few: number | string, many: number | string) =>
    sql`case when ${isRare} then ${sql.lit(few)} else ${sql.lit(many)} end`;
  const old = sql`i < ${sql.lit(RARE)}`;
  await sql`
    ${counted}
    insert into task (project_id, template_id, user_id, epoch, status, message, tpl_type, tpl_alias, tpl_playbook, arguments,
      environment, limit_hosts, created, debug, dry_run, diff, end_reason)
    select ${pick(sql`${old} and i % 4 = 0`, rare.projectId, common.projectId)},
      ${pick(sql`${old} and i % 4 = 1`, rare.templateId, common.templateId)},
      ${pick(sql`${old} and i % 4 = 2`, rare.userId, common.userId)}, 1,
      ${pick(sql`${old} and i % 4 = 3`, 'stopped', 'success')},
      '', '', 'Template', 'site.yml', '[]', '{}', '', '2026-01-02T03:04:05.678Z', 0, 0, 0,
      ${pick(sql`${old} and i % 4 = 3`, 'stop.unknown', 'hosts.failed')} from counted`.execute(db);
  await sql`
    ${counted}
    insert into event (project_id, user_id, object_id, object_type, object_name, kind, params, address, created)
    select ${pick(old, rare.projectId, common.projectId)}, ${sql.lit(common.userId)}, i, 'task', '', 'text', '{}', '', '2026-01-02T03:04:05.678Z'
    from counted`.execute(db);
};

const setUp = async (location: Parameters<typeof startTestServer>[0]): Promise<{ database: Database } & Ids> => {
  const server = await startTestServer(location);
  const { database } = server.storage;
  const client = await server.signIn();
  const [one, two] = [await sampleProject(client, 'Common'), await sampleProject(client, 'Rare')];
  const users = await database.autocommit
    .insertInto('users')
    .columns([
      'username',
      'username_key',
      'name',
      'email',
      'email_key',
      'password_hash',
      'created',
      'admin',
      'alert',
      'external',
      'can_create_project',
      'billing',
    ])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select([
          sql<string>`'rare'`.as('a'),
          sql<string>`'rare'`.as('b'),
          'name',
          sql<string>`'rare'`.as('c'),
          sql<string>`'rare'`.as('d'),
          'password_hash',
          'created',
          'admin',
          'alert',
          'external',
          'can_create_project',
          'billing',
        ]),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  const ids = {
    common: { projectId: one.projectId, templateId: await one.template(), userId: 1 },
    rare: { projectId: two.projectId, templateId: await one.template(), userId: users.id },
  };
  await seed(database.autocommit as unknown as Kysely<never>, ids);
  await countRows(database);
  return { database, ...ids };
};

describeEachDatabase('a list of 20,000 tasks', (makeLocation) => {
  it('reads only the rows of its page, for every filter and position', async () => {
    const { database, common, rare } = await setUp(await makeLocation());
    const { projectId } = common;
    const asked: [Omit<TaskFilter, 'limit'>, string[]][] = [
      [{ projectId }, ['project_id']],
      [{ projectId: rare.projectId }, ['project_id']],
      [{ projectId, status: 'stopped' }, ['status', 'project_id']],
      [{ projectId, status: 'waiting' }, ['status', 'project_id']],
      [{ projectId, status: 'success' }, ['status', 'project_id']],
      [{ projectId, endReason: 'stop.unknown' }, ['end_reason', 'project_id']],
      [{ projectId, endReason: 'hosts.failed' }, ['end_reason', 'project_id']],
      [{ projectId, endReason: 'disk.full' }, ['end_reason', 'project_id']],
      [{ projectId, templateId: rare.templateId, endReason: 'hosts.failed' }, ['end_reason', 'template_id']],
      [{ projectId, templateId: common.templateId }, ['template_id']],
      [{ projectId, templateId: rare.templateId }, ['template_id']],
      [{ projectId, templateId: common.templateId, status: 'stopped' }, ['status', 'template_id']],
      [{ projectId, userId: common.userId }, ['user_id', 'project_id']],
      [{ projectId, userId: rare.userId }, ['user_id', 'project_id']],
      [{ projectId: rare.projectId, userId: rare.userId }, ['user_id', 'project_id']],
    ];
    for (const [filter, columns] of asked) {
      for (const before of [undefined, RARE / 2, TASKS / 2]) {
        const query = listTasksQuery(database, { ...filter, before, limit: 200 });
        expect([filter, before, await planProblems(database, query, columns)]).toEqual([filter, before, []]);
      }
    }
    for (const id of [common.projectId, rare.projectId]) {
      for (const before of [undefined, RARE / 2]) {
        const query = listEventsQuery(database, id, { limit: 200, before });
        expect(await planProblems(database, query, ['project_id'])).toEqual([]);
      }
    }
  });

  it('finds the ten newest tasks of each template with an index, even for templates that did not run lately', async () => {
    const { database, common, rare } = await setUp(await makeLocation());
    expect(await eachPlanProblems(database, outcomesQuery(database, common.projectId), 20)).toEqual([]);
    const outcomes = await listOutcomes(database, common.projectId);
    for (const { templateId } of [common, rare]) {
      const wanted = await database.read
        .selectFrom('task')
        .select(['id', 'status', 'start_time as start', 'end_time as end'])
        .where('template_id', '=', templateId)
        .orderBy('id', 'desc')
        .limit(10)
        .execute();
      expect(wanted).toHaveLength(10);
      expect(outcomes.find(({ template_id }) => template_id === templateId)?.tasks).toEqual(wanted);
    }
    expect(outcomes.map(({ template_id }) => template_id).sort()).toEqual([common.templateId, rare.templateId].sort());
    expect(await listOutcomes(database, rare.projectId)).toEqual([]);
  });

  it('of a time span reads only the rows of its page, for every filter', async () => {
    const { database, common, rare } = await setUp(await makeLocation());
    const { projectId } = common;
    const ids = await database.read.selectFrom('task').select('id').orderBy('id').execute();
    const [second, third] = [ids[TASKS / 2]?.id ?? 0, ids[TASKS - 2_000]?.id ?? 0];
    const day = (at: number) => `2026-01-0${at}T12:00:00.000Z`;
    for (const [at, first, last] of [
      [4, second, third],
      [6, third, MAX_ID],
    ] as const)
      await sql`update task set created = ${day(at)} where id >= ${first} and id < ${last}`.execute(
        database.autocommit,
      );
    await countRows(database);
    const asked: [Partial<TaskFilter>, string[], number][] = [
      [{}, ['project_id'], 200],
      [{ status: 'success' }, ['status', 'project_id'], 200],
      // The tasks with these values are older than the time span.
      [{ status: 'stopped' }, ['status', 'project_id'], 0],
      [{ endReason: 'stop.unknown' }, ['end_reason', 'project_id'], 0],
      [{ templateId: rare.templateId }, ['template_id'], 0],
      [{ userId: rare.userId }, ['user_id', 'project_id'], 0],
    ];
    for (const [filter, columns, found] of asked) {
      const span = { projectId, from: day(3), to: day(5), ...filter, limit: 200 };
      const bounded = await withIdsOfSpan(database, span);
      const query = listTasksQuery(database, bounded ?? span);
      const rows = await query.execute();
      expect([filter, rows.length, await planProblems(database, query, columns)]).toEqual([filter, found, []]);
      expect(rows.every(({ id }) => id >= second && id < third)).toBe(true);
    }
    expect(await withIdsOfSpan(database, { projectId, from: day(7), limit: 200 })).toBeUndefined();
  });

  it('contains the right tasks in order, page by page', async () => {
    const { database, common, rare } = await setUp(await makeLocation());
    const all = await database.read.selectFrom('task').selectAll().orderBy('id', 'desc').execute();
    const idsOf = async (filter: Omit<TaskFilter, 'limit'>, pages: number): Promise<number[]> => {
      const ids: number[] = [];
      for (let page = 0; page < pages; page++) {
        const rows = await listTasksQuery(database, { before: ids.at(-1), limit: 70, ...filter }).execute();
        ids.push(...rows.map(({ id }) => id));
      }
      return ids;
    };
    const { projectId } = common;
    for (const filter of [
      { projectId },
      { projectId: rare.projectId },
      { projectId, status: 'stopped' as const },
      { projectId, endReason: 'stop.unknown' as const },
      { projectId, templateId: rare.templateId, endReason: 'hosts.failed' as const },
      { projectId, templateId: rare.templateId },
      { projectId, userId: rare.userId, status: 'success' as const },
      { projectId, templateId: rare.templateId, userId: common.userId, status: 'success' as const },
      { projectId: rare.projectId, templateId: rare.templateId },
    ]) {
      const wanted = all.filter(
        (task) =>
          task.project_id === filter.projectId &&
          (!('status' in filter) || task.status === filter.status) &&
          (!('endReason' in filter) || task.end_reason === filter.endReason) &&
          (!('templateId' in filter) || task.template_id === filter.templateId) &&
          (!('userId' in filter) || task.user_id === filter.userId),
      );
      expect(await idsOf(filter, 3)).toEqual(wanted.slice(0, 210).map(({ id }) => id));
    }
  });
});
