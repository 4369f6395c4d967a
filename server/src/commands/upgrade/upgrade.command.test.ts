import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { storeRequirement } from '../../database/compatibility.ts';
import { migrateAll, STATE_STEPS, type Step, type Steps } from '../../database/migrate.ts';
import { readUpgradePlan, type UpgradePlan } from '../../database/upgrade-plan.ts';
import { withOpenLocation } from '../../testing/database/database-snapshot.ts';
import { describeEachEmptyDatabase } from '../../testing/database/databases.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { upgradeReport } from './upgrade-report.ts';

const NEWEST = Object.keys(STATE_STEPS).toSorted().at(-1) ?? '';
const before = (name: string): Steps => Object.fromEntries(Object.entries(STATE_STEPS).filter(([one]) => one < name));
const nothing: Step = async () => undefined;

describeEachEmptyDatabase('signalbox upgrade --check', (makeLocation) => {
  it('lists the migrations of an older database, the tables that they rewrite, and changes nothing', async () => {
    const location = await makeLocation();
    await withOpenLocation(location, (database, logs) => migrateAll(database, logs, { state: before('0070') }));
    const ran = await signalbox(location, 'upgrade', '--check', '--json').ended;
    const plan = JSON.parse(ran.output) as UpgradePlan;
    expect(ran.code).toBe(0);
    expect(plan).toMatchObject({ current: '0069-relayed-queries', next: NEWEST, breaking: [], canRestart: false });
    expect(plan.migrations).toEqual(Object.keys(STATE_STEPS).filter((name) => name >= '0070'));
    expect(plan.tables).toEqual(['task', 'run_time'].map((name) => ({ name, rows: 0, seconds: 0 })));
    const again = await signalbox(location, 'upgrade', '--check').ended;
    expect(again.output).toContain(`from 0069-relayed-queries to ${NEWEST}.`);
    expect(again.output).toContain('rewrites task: 0 rows');
    expect(again.output).toContain('Backup: none is known.');
  });

  it('names the migrations after which servers of the older version fail', async () => {
    const location = await makeLocation();
    await withOpenLocation(location, async (database, logs) => {
      await migrateAll(database, logs, { state: before('0056') });
      const { breaking, canRestart } = await readUpgradePlan(database);
      expect({ breaking, canRestart }).toEqual({ breaking: ['0056-schedule-alerts'], canRestart: false });
    });
  });

  it('lets servers run that know what a migration requires', async () => {
    const location = await makeLocation();
    await withOpenLocation(location, async (database, logs) => {
      await migrateAll(database, logs);
      const steps = { ...STATE_STEPS, '9999-remove': nothing };
      const plan = await readUpgradePlan(database, steps, { '9999-remove': '0076-locks' });
      expect(plan).toMatchObject({ migrations: ['9999-remove'], breaking: [], canRestart: true });
    });
  });

  it('reads the plan for databases of the first versions', async () => {
    const location = await makeLocation();
    await withOpenLocation(location, async (database, logs) => {
      await migrateAll(database, logs, { state: before('0013') });
      expect((await readUpgradePlan(database)).migrations[0]).toMatch(/^0013/);
    });
  });

  it('refuses a database that a newer version has changed so that this one cannot use it', async () => {
    const location = await makeLocation();
    const state = { ...STATE_STEPS, '9999-future': nothing };
    await withOpenLocation(location, (database, logs) => migrateAll(database, logs, { state }));
    const usable = await signalbox(location, 'upgrade', '--check').ended;
    expect(usable).toMatchObject({ code: 0, output: expect.stringContaining('Migrations: none.') });
    await withOpenLocation(location, ({ autocommit }) =>
      storeRequirement(autocommit as unknown as Kysely<unknown>, '9999-future', '9999-future'),
    );
    const { code, output } = await signalbox(location, 'upgrade', '--check').ended;
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('A newer version of Signalbox') });
  });
});

const PLAN: UpgradePlan = {
  database: 'PostgreSQL',
  isShared: true,
  current: 'a',
  next: 'b',
  migrations: ['b'],
  breaking: [],
  canRestart: true,
  tables: [],
  lastBackup: '2026-11-26T10:00:00.000Z',
  runners: [{ version: '1.3.0', count: 2 }],
};
const report = (change: Partial<UpgradePlan>): string =>
  upgradeReport({ ...PLAN, ...change }, '1.4.0', new Date('2026-11-26T12:00:00.000Z')).join('\n');

it.each([
  ['servers that can be upgraded one after the other', {}, 'one after the other, while the others run.\n'],
  ['servers that would not start again', { canRestart: false }, 'continues, but does not start again.\n'],
  ['servers that must be stopped', { breaking: ['b'] }, 'stop all of them first. They fail after b.\n'],
  ['one server', { isShared: false }, 'stop the server, upgrade it, and start it.\n'],
  ['no migration', { migrations: [] }, 'Migrations: none.\n'],
  ['runners of the previous minor version', {}, '2 with 1.3.0; upgrade them after the servers'],
  ['older runners', { runners: [{ version: '1.2.9', count: 1 }] }, 'upgrade those with 1.2.9 before the servers.\n'],
  [
    'runners of an older major version',
    { runners: [{ version: '0.9.0', count: 1 }] },
    'upgrade those with 0.9.0 before',
  ],
  ['a recent backup', {}, 'Backup: 2026-11-26T10:00:00.000Z.'],
  ['an old backup', { lastBackup: '2026-11-20T10:00:00.000Z' }, 'more than a day ago. Make one first'],
])('the report of an upgrade describes %s', (_, change, text) => {
  expect(report(change)).toContain(text);
});
