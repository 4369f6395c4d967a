import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { storedEndReason } from '../end-reason.ts';
import { describeEachEmptyDatabase, type TestLocation } from '../testing/database/databases.ts';
import { fillFoundation } from '../testing/database/foundation-rows.ts';
import { signalbox } from '../testing/signalbox-process.ts';
import type { Requirements } from './compatibility.ts';
import { type Database, LOCK } from './database.ts';
import { migrateAll, STATE_STEPS, type Step, supportsSchema } from './migrate.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { openDatabase } from './open-database.ts';

/** In milliseconds. */
const LONGER_THAN_A_STATEMENT_WAITS = 2_000;

const open = ({ databaseUrl, folder }: TestLocation): Database =>
  openDatabase(databaseUrl === undefined ? { folder } : { url: databaseUrl });

const tablesOf = async (database: Database): Promise<string[]> =>
  (await database.autocommit.introspection.getTables()).map(({ name }) => name).toSorted();

/** Tables of a migrated database, without those of the migrator. */
const ownTables = async (database: Database): Promise<string[]> =>
  (await tablesOf(database)).filter((name) => !name.includes('migration'));

const withDatabase = async <T>(location: TestLocation, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = open(location);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

const broken: Step = async (db) => {
  await db.schema.createTable('half').addColumn('id', 'integer').execute();
  throw new Error('the power went');
};

describeEachEmptyDatabase('[R13] migrations', (makeLocation) => {
  it('leave no trace when one of them fails, and the next start runs all of them', async () => {
    const location = await makeLocation();
    await withDatabase(location, async (database) => {
      const steps = { state: { ...STATE_STEPS, '9999-broken': broken } };
      await expect(migrateAll(database, undefined, steps)).rejects.toThrow('the power went');
      expect(await ownTables(database)).toEqual([]);
      await migrateAll(database, undefined);
      expect(await ownTables(database)).toContain('task');
      await expect(migrateAll(database, undefined, steps)).rejects.toThrow('the power went');
      expect(await ownTables(database)).not.toContain('half');
    });
  });

  it('run once when several processes start them', async () => {
    const location = await makeLocation();
    await withDatabase(location, (database) =>
      migrateAll(database, undefined, { state: { '0001-foundation': foundation } }),
    );
    const ends = await Promise.all([1, 2, 3].map(() => signalbox(location, 'user', 'list').ended));
    expect(ends).toEqual(Array(3).fill({ code: 0, output: '' }));
    await withDatabase(location, async (database) => {
      const { rows } = await sql<{ name: string }>`select name from migration`.execute(database.autocommit);
      expect(rows.map(({ name }) => name)).toEqual(Object.keys(STATE_STEPS));
    });
  });

  it('wait up to a minute for those of another process', async () => {
    const location = await makeLocation();
    const [first, second] = [open(location), open(location)];
    expect(await ownTables(second)).toEqual([]);
    const begun = Promise.withResolvers<void>();
    const slow: Step = async () => {
      begun.resolve();
      await delay(LONGER_THAN_A_STATEMENT_WAITS);
    };
    const state = { ...STATE_STEPS, '9999-slow': slow };
    const migrating = migrateAll(first, undefined, { state });
    await begun.promise;
    await Promise.all([migrating, migrateAll(second, undefined, { state })]);
    expect(await ownTables(second)).toContain('task');
    await Promise.all([first.close(), second.close()]);
  });

  const future: Step = async (db) => {
    await db.schema.createTable('future').addColumn('id', 'integer').execute();
  };

  it.each([
    ['itself, are refused with one message', '9999-future', 1],
    ['a migration that this version knows, are accepted', '0079-migration-requirements', 0],
    ['no other, are accepted', undefined, 0],
  ])('of a newer version, of which one requires %s', async (_, requires, code) => {
    const location = await makeLocation();
    const steps = { ...STATE_STEPS, '9998-added': future, '9999-future': (async () => undefined) as Step };
    const requirements: Requirements = requires === undefined ? {} : { '9999-future': requires };
    await withDatabase(location, async (database) => {
      await migrateAll(database, undefined, { state: steps, requirements });
      expect(await supportsSchema(database)).toBe(code === 0);
    });
    const ended = await signalbox(location, 'user', 'list').ended;
    const refused =
      'A newer version of Signalbox has migrated the database. Start that version, or restore a backup.\n';
    expect(ended).toEqual({ code, output: code === 0 ? '' : refused });
    await withDatabase(location, async (database) => expect(await ownTables(database)).toContain('future'));
  });

  it('of a newer version are refused while a migration of this version is missing', async () => {
    const location = await makeLocation();
    const { '0076-locks': missing, ...steps } = STATE_STEPS;
    await withDatabase(location, async (database) => {
      await migrateAll(database, undefined, { state: { ...steps, '9999-future': future } });
      await expect(migrateAll(database, undefined)).rejects.toThrow('A newer version of Signalbox');
      expect(missing).toBeTypeOf('function');
    });
  });
});

describeEachEmptyDatabase('a lock', (makeLocation) => {
  it('admits one transaction at a time', async () => {
    const location = await makeLocation();
    await withDatabase(location, async (database) => {
      await migrateAll(database, undefined);
      let inside = 0;
      let most = 0;
      const work = () =>
        database.write(async (tx) => {
          most = Math.max(most, ++inside);
          await sql`select 1`.execute(tx);
          await new Promise(setImmediate);
          inside--;
        }, LOCK.claim);
      await Promise.all(Array.from({ length: 6 }, work));
      expect(most).toBe(1);
    });
  });
});

describeEachEmptyDatabase('the migration of end reasons', (makeLocation) => {
  const MESSAGE = 'of the test';
  const before = Object.fromEntries(Object.entries(STATE_STEPS).filter(([name]) => name < '0035'));

  it('converts the reasons of failed tasks into codes with parameters, and keeps the names of schedules', async () => {
    const location = await makeLocation();
    await withDatabase(location, async (database) => {
      await migrateAll(database, undefined, { state: { '0001-foundation': foundation } });
      const db = database.autocommit;
      await fillFoundation(db as unknown as Kysely<never>);
      await migrateAll(database, undefined, { state: before });
      const rows: readonly (readonly [status: string, failure: object | null, startedBy: string])[] = [
        ['success', null, 'schedule Nightly'],
        ['stopped', null, ''],
        ['error', null, ''],
        ['error', { code: 'git.branch_missing', repository: '/srv/a', branch: 'main' }, 'schedule schedule '],
        ['error', { code: 'disk.full' }, ''],
        ['error', { code: 'hosts.failed' }, ''],
        ['error', { code: 'time_limit' }, ''],
        ['error', { code: 'runner.silent' }, ''],
        ['error', { code: 'requirements.not_installed', file: 'r.yml', kind: 'collection' }, ''],
        [
          'error',
          { code: 'key.unusable', detail: 'The passphrase of the ssh key is wrong, or the key is damaged.' },
          '',
        ],
        ['error', { code: 'key.unusable', detail: 'It is damaged.', key_id: 7, key_name: 'Web' }, ''],
      ];
      for (const [status, failure, startedBy] of rows)
        await sql`insert into task (project_id, template_id, epoch, status, message, tpl_type, tpl_alias, tpl_playbook, arguments,
            environment, limit_hosts, created, debug, dry_run, diff, failure, started_by, runner_name)
          values (1, 1, 1, ${status}, ${MESSAGE}, '', 'Deploy', 'site.yml', '[]', '{}', '', '2026-01-02T03:04:05.678Z', 0, 0, 0,
            ${failure && JSON.stringify(failure)}, ${startedBy}, 'east')`.execute(db);
      await migrateAll(database, undefined);
      const tasks = await db
        .selectFrom('task')
        .select(['end_reason', 'end_params', 'schedule_name'])
        .where('message', '=', MESSAGE)
        .orderBy('id')
        .execute();
      expect(tasks.map(({ end_reason, end_params }) => storedEndReason(end_reason, end_params))).toEqual([
        undefined,
        { code: 'stop.unknown', params: {} },
        undefined,
        { code: 'git.branch_missing', params: { repository: '/srv/a', branch: 'main' } },
        { code: 'disk.full', params: {} },
        { code: 'playbook.failed', params: {} },
        { code: 'time_limit', params: { seconds: null } },
        { code: 'runner.silent', params: { runner: 'east' } },
        { code: 'requirements.collections_not_installed', params: { file: 'r.yml' } },
        { code: 'key.passphrase_wrong', params: { key_id: null, key_name: '' } },
        { code: 'key.damaged', params: { key_id: 7, key_name: 'Web' } },
      ]);
      expect(tasks.map(({ schedule_name }) => schedule_name).filter(Boolean)).toEqual(['Nightly', 'schedule ']);
    });
  });
});

describeEachEmptyDatabase('the migration of apps', (makeLocation) => {
  it('keeps the inventory of every template, and makes Ansible the app of templates and tasks', async () => {
    const location = await makeLocation();
    await withDatabase(location, async (database) => {
      await migrateAll(database, undefined, { state: { '0001-foundation': foundation } });
      const db = database.autocommit;
      await fillFoundation(db as unknown as Kysely<never>);
      const before = await sql<{ id: number; inventory_id: number }>`select id, inventory_id from template`.execute(db);
      await migrateAll(database, undefined);
      const templates = await db.selectFrom('template').select(['id', 'inventory_id', 'app']).orderBy('id').execute();
      expect(templates).toEqual(before.rows.toSorted((a, b) => a.id - b.id).map((row) => ({ ...row, app: 'ansible' })));
      const tasks = await db.selectFrom('task').select('app').distinct().execute();
      expect(tasks).toEqual([{ app: 'ansible' }]);
      const setInventory = (inventory_id: number | null) =>
        database.write((tx) => tx.updateTable('template').set({ inventory_id }).execute());
      await expect(setInventory(4711)).rejects.toThrow(/foreign key/i);
      await setInventory(null);
    });
  });
});

describeEachEmptyDatabase('the migration of the outbox', (makeLocation) => {
  const before = Object.fromEntries(Object.entries(STATE_STEPS).filter(([name]) => name < '0038'));

  it('keeps pending log removals and host histories, in their order', async () => {
    const location = await makeLocation();
    await withDatabase(location, async (database) => {
      await migrateAll(database, undefined, { state: { '0001-foundation': foundation } });
      const db = database.autocommit;
      await fillFoundation(db as unknown as Kysely<never>);
      await migrateAll(database, undefined, { state: before });
      await sql`insert into log_removal (task_id) values (99), (1)`.execute(db);
      await sql`insert into host_ledger_due (project_id, task_id, ended)
        values (1, 2, '2026-01-02T03:04:05.678Z'), (1, 1, '2026-01-03T03:04:05.678Z')`.execute(db);
      await migrateAll(database, undefined);
      const rows = await db.selectFrom('outbox').selectAll().orderBy('kind').orderBy('id').execute();
      expect(rows.map(({ kind, project_id, task_id, created }) => [kind, project_id, task_id, created])).toEqual([
        ['host_history', 1, 2, '2026-01-02T03:04:05.678Z'],
        ['host_history', 1, 1, '2026-01-03T03:04:05.678Z'],
        ['log_removal', null, 99, ''],
        ['log_removal', null, 1, ''],
      ]);
    });
  });
});

describeEachEmptyDatabase('the migration of permitted starts', (makeLocation) => {
  const before = Object.fromEntries(Object.entries(STATE_STEPS).filter(([name]) => name < '0068'));

  it('keeps the variables that schedules set in addition to the survey', async () => {
    await withDatabase(await makeLocation(), async (database) => {
      await migrateAll(database, undefined, { state: { '0001-foundation': foundation } });
      const db = database.autocommit;
      await fillFoundation(db as unknown as Kysely<never>);
      await migrateAll(database, undefined, { state: before });
      const { id: template } = await db.selectFrom('template').select('id').orderBy('id').executeTakeFirstOrThrow();
      await sql`delete from schedule`.execute(db);
      const environment = JSON.stringify({ more: 'x', count: 1 });
      for (const launch_values of ['{}', 'broken', JSON.stringify({ environment })])
        await sql`insert into schedule (project_id, template_id, name, cron_format, timezone, launch_values, active)
          values (1, ${template}, ${launch_values}, '@daily', 'UTC', ${launch_values}, 0)`.execute(db);
      await migrateAll(database, undefined);
      const schedules = await db.selectFrom('schedule').select('extra_variables').orderBy('id').execute();
      expect(schedules.map(({ extra_variables: names }) => names)).toEqual(['[]', '[]', '["more"]']);
    });
  });
});
