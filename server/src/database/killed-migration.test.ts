import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { drawSample } from '../../../testing/sample.ts';
import { readEvent } from '../audit/read-event.ts';
import {
  type PartSnapshot,
  type Snapshot,
  snapshotOf,
  withOpenLocation,
} from '../testing/database/database-snapshot.ts';
import { describeEachEmptyDatabase, type MakeLocation, type TestLocation } from '../testing/database/databases.ts';
import { fillFoundation, fillFoundationLogs } from '../testing/database/foundation-rows.ts';
import { type Moment, migrateUntil } from '../testing/database/killed-migration.ts';
import { LOGS_FILE } from './file-names.ts';
import { LOG_STEPS, migrateAll, STATE_STEPS, type Steps } from './migrate.ts';
import { STATE_FILE } from './open-database.ts';

/** Prefix of the steps of the first release. */
const FIRST = '0001-';
const first = (steps: Steps): Steps =>
  Object.fromEntries(Object.entries(steps).filter(([name]) => name.startsWith(FIRST)));
const firstLater = (steps: Steps): string | undefined =>
  Object.keys(steps)
    .toSorted()
    .find((name) => !name.startsWith(FIRST));

const migrateHere = (location: TestLocation, steps: { state?: Steps; logs?: Steps } = {}): Promise<void> =>
  withOpenLocation(location, (database, logs) => migrateAll(database, logs, steps));

const emptyLocation = (makeLocation: MakeLocation): Promise<TestLocation> => makeLocation();

/** A location as the first release left it, with rows in every table. */
const oldLocation = async (makeLocation: MakeLocation): Promise<TestLocation> => {
  const location = await makeLocation();
  await migrateHere(location, { state: first(STATE_STEPS), logs: first(LOG_STEPS) });
  await withOpenLocation(location, async (database, logs) => {
    const state = database.autocommit as unknown as Kysely<never>;
    await fillFoundation(state);
    await fillFoundationLogs((logs as unknown as Kysely<never> | undefined) ?? state);
  });
  return location;
};

/** Moves the copies of an upgrade to where a database has its files. */
const openCopies = (location: TestLocation): TestLocation => {
  for (const [file, steps] of [
    [STATE_FILE, STATE_STEPS],
    [LOGS_FILE, LOG_STEPS],
  ] as const) {
    const copy = join(location.folder, `${file}.before-${firstLater(steps)}`);
    if (!existsSync(copy)) continue;
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    for (const suffix of ['-wal', '-shm']) expect(existsSync(join(location.folder, file + suffix))).toBe(false);
    renameSync(copy, join(location.folder, file));
  }
  return location;
};

/** Runs `work` for each item, at most `width` at the same time. */
const forEach = async <T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> => {
  const waiting = [...items];
  const line = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, line));
};

/**
 * Every statement is tried just before and just after it is sent. Of the many statements that create the tables of an
 * empty database in one transaction, three of four are tried only after. On SQLite, the moment after a statement is
 * the same as the moment before the next one.
 */
const momentsOf = (isFile: boolean, before: Snapshot, statement: number): readonly Moment[] => {
  if (isFile) return statement === 1 ? ['before', 'sent'] : ['sent'];
  return before.state.steps.length === 0 && statement % 4 !== 0 ? ['sent'] : ['before', 'sent'];
};

/** Returns which of two snapshots a third one equals completely. */
const whichOf = (found: PartSnapshot, before: PartSnapshot, whole: PartSnapshot): 'absent' | 'whole' => {
  if (JSON.stringify(found) === JSON.stringify(whole)) return 'whole';
  expect(found).toEqual(before);
  return 'absent';
};

/** Number of kills that are tried during older steps; `npm run test:full` tries all. */
const SAMPLED = 4;

interface Kill {
  readonly statement: number;
  readonly moment: Moment;
}

/** All kills during and after the newest step, and a sample of those before: older steps never change. */
const sampleOf = (name: string, kills: readonly Kill[], earlier: number): readonly Kill[] => [
  ...drawSample(
    `killed statements: ${name}`,
    kills.filter(({ statement }) => statement <= earlier),
    SAMPLED,
  ),
  ...kills.filter(({ statement }) => statement > earlier),
];

/** Columns of the first release that were renamed: the table, the old name and the new one. */
const RENAMED = [['runner', 'beats', 'heartbeats']] as const;

/** A survey with the fields of the first release. */
const asFirstSurvey = (survey: string): string => {
  const variables = JSON.parse(survey) as { name: string; title: string; description: string }[];
  const fields = ['name', 'title', 'description', 'type', 'required'];
  return JSON.stringify(variables, (key, value) =>
    key === '' || /^\d+$/.test(key) || fields.includes(key) ? value : undefined,
  );
};

/** Adds the columns of the first release, read from the columns that replaced them. */
const asBefore = (table: string, row: Readonly<Record<string, unknown>>): object => {
  if (table === 'template') return { ...row, survey_vars: asFirstSurvey(row.survey_vars as string) };
  const renamed = RENAMED.filter(([name]) => name === table).map(([, before, after]) => [before, row[after]]);
  if (table !== 'event') return { ...row, ...Object.fromEntries(renamed) };
  return { ...row, description: readEvent(row.kind as string, row.params as string).description };
};

describeEachEmptyDatabase('[R13] a migration that is killed at any statement', (makeLocation) => {
  it.each([
    ['an empty database', emptyLocation],
    ['a database of the first release', oldLocation],
  ])(
    'of %s is either complete or absent, and the next start finishes it',
    async (name, makeBase) => {
      const base = await makeBase(makeLocation);
      const before: Snapshot = await snapshotOf(base);
      const undisturbed = await makeLocation(base);
      const end = await migrateUntil(undisturbed);
      const whole = await snapshotOf(undisturbed);
      expect(whole.state.steps).toEqual(Object.keys(STATE_STEPS));
      expect(whole.logs.steps).toEqual(Object.keys(LOG_STEPS));
      if (end === 'killed') throw new Error('The process was not killed.');

      const found = new Map<string, number>();
      const isFile = base.databaseUrl === undefined;
      const database = isFile ? 'SQLite' : 'PostgreSQL';
      const kills = Array.from({ length: end.statements }, (__, index) => index + 1).flatMap((statement) =>
        momentsOf(isFile, before, statement).map((moment) => ({ statement, moment })),
      );
      await forEach(sampleOf(`${database} ${name}`, kills, end.earlier), 3, async (kill) => {
        const location = await makeLocation(base);
        expect([kill, await migrateUntil(location, kill)]).toEqual([kill, 'killed']);
        const left = await snapshotOf(location);
        const state = whichOf(left.state, before.state, whole.state);
        const logs = whichOf(left.logs, before.logs, whole.logs);
        found.set(state, (found.get(state) ?? 0) + 1);
        found.set(`logs ${logs}`, (found.get(`logs ${logs}`) ?? 0) + 1);
        await migrateHere(location);
        expect(await snapshotOf(location)).toEqual(whole);
        expect(readdirSync(location.folder).filter((name) => name.includes('.part'))).toEqual([]);
        if (isFile && before.state.steps.length > 0) {
          expect((await snapshotOf(openCopies(location))).state).toEqual(before.state);
        }
        await location.remove();
      });
      // Kills that all came too early or too late would prove nothing.
      expect(found.get('absent')).toBeGreaterThan(SAMPLED / 2);
      expect(found.get('whole')).toBeGreaterThan(0);
      // No kill may be numbered beyond the last statement.
      const beyond = { statement: end.statements + 1, moment: 'before' } as const;
      expect(await migrateUntil(await makeLocation(base), beyond)).toEqual(end);
    },
    600_000,
  );

  it('keeps every row of every table of the first release', async () => {
    const location = await oldLocation(makeLocation);
    const before = await snapshotOf(location);
    const empty = Object.entries({ ...before.state.rows, ...before.logs.rows }).filter(([, rows]) => rows.length === 0);
    expect(empty).toEqual([]);
    await migrateHere(location);
    const after = await snapshotOf(location);
    for (const part of ['state', 'logs'] as const) {
      for (const [table, rows] of Object.entries(before[part].rows)) {
        const kept = (after[part].rows[table] ?? []).map((row) =>
          asBefore(table, JSON.parse(row) as Record<string, unknown>),
        );
        expect(kept).toHaveLength(rows.length);
        for (const row of rows) expect(kept).toContainEqual(expect.objectContaining(JSON.parse(row) as object));
      }
    }
  });
});
