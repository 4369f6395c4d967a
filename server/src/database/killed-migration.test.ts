import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { drawSample } from '../../../testing/sample.ts';
import { readEvent } from '../audit/read-event.ts';
import { type PartSnapshot, type Snapshot, snapshotOf, withOpenPlace } from '../testing/database-snapshot.ts';
import { describeEachDatabase, type MakePlace, type Place } from '../testing/databases.ts';
import { fillFoundation, fillFoundationLogs } from '../testing/foundation-rows.ts';
import { type Moment, migrateUntil } from '../testing/killed-migration.ts';
import { LOGS_FILE } from './logs-file.ts';
import { LOG_STEPS, migrateAll, STATE_STEPS, type Steps } from './migrate.ts';
import { STATE_FILE } from './open-database.ts';

/** The shape of the first release. */
const FIRST = '0001-';
const first = (steps: Steps): Steps =>
  Object.fromEntries(Object.entries(steps).filter(([name]) => name.startsWith(FIRST)));
const firstLater = (steps: Steps): string | undefined =>
  Object.keys(steps)
    .toSorted()
    .find((name) => !name.startsWith(FIRST));

const migrateHere = (place: Place, steps: { state?: Steps; logs?: Steps } = {}): Promise<void> =>
  withOpenPlace(place, (database, logs) => migrateAll(database, logs, steps));

const emptyPlace = (makePlace: MakePlace): Promise<Place> => makePlace();

/** A place as the first release left it, with rows in every table. */
const oldPlace = async (makePlace: MakePlace): Promise<Place> => {
  const place = await makePlace();
  await migrateHere(place, { state: first(STATE_STEPS), logs: first(LOG_STEPS) });
  await withOpenPlace(place, async (database, logs) => {
    const state = database.read as unknown as Kysely<never>;
    await fillFoundation(state);
    await fillFoundationLogs((logs as unknown as Kysely<never> | undefined) ?? state);
  });
  return place;
};

/** The files of an upgrade's copies, moved to where a database has its files. */
const openCopies = (place: Place): Place => {
  for (const [file, steps] of [
    [STATE_FILE, STATE_STEPS],
    [LOGS_FILE, LOG_STEPS],
  ] as const) {
    const copy = join(place.folder, `${file}.before-${firstLater(steps)}`);
    if (!existsSync(copy)) continue;
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    for (const suffix of ['-wal', '-shm']) expect(existsSync(join(place.folder, file + suffix))).toBe(false);
    renameSync(copy, join(place.folder, file));
  }
  return place;
};

/** Does some work for each item, at most `width` at once. */
const forEach = async <T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> => {
  const waiting = [...items];
  const line = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, line));
};

/**
 * Every statement is met just before and just after it was sent; of the many that make the tables of an empty database,
 * all in one transaction, three of four only after. SQLite has done it by then, so that just before the next one is the
 * same moment.
 */
const momentsOf = (isFile: boolean, before: Snapshot, statement: number): readonly Moment[] => {
  if (isFile) return statement === 1 ? ['before', 'sent'] : ['sent'];
  return before.state.steps.length === 0 && statement % 4 !== 0 ? ['sent'] : ['before', 'sent'];
};

/** Which of the two this is; told by the whole of it, so that nothing between them passes. */
const whichOf = (found: PartSnapshot, before: PartSnapshot, whole: PartSnapshot): 'absent' | 'whole' => {
  if (JSON.stringify(found) === JSON.stringify(whole)) return 'whole';
  expect(found).toEqual(before);
  return 'absent';
};

/** How many kills during the older steps are tried; a whole run tries all of them. */
const SAMPLED = 8;

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

/** A row with what later versions make of other columns: the sentence of an event. */
const asBefore = (table: string, row: object): object => {
  if (table !== 'event') return row;
  const { kind, params } = row as { kind: string; params: string };
  return { ...row, description: readEvent(kind, params).description };
};

describeEachDatabase('[R13] a migration killed at any statement is whole or absent', (makePlace) => {
  it.each([
    ['an empty database', emptyPlace],
    ['a database of the first release', oldPlace],
  ])(
    'of %s, and the next start finishes it',
    async (name, makeBase) => {
      const base = await makeBase(makePlace);
      const before: Snapshot = await snapshotOf(base);
      const undisturbed = await makePlace(base);
      const end = await migrateUntil(undisturbed);
      const whole = await snapshotOf(undisturbed);
      expect(whole.state.steps).toEqual(Object.keys(STATE_STEPS));
      expect(whole.logs.steps).toEqual(Object.keys(LOG_STEPS));
      if (end === 'killed') throw new Error('Nobody killed it.');

      const found = new Map<string, number>();
      const isFile = base.databaseUrl === undefined;
      const database = isFile ? 'SQLite' : 'PostgreSQL';
      const kills = Array.from({ length: end.statements }, (__, index) => index + 1).flatMap((statement) =>
        momentsOf(isFile, before, statement).map((moment) => ({ statement, moment })),
      );
      await forEach(sampleOf(`${database} ${name}`, kills, end.earlier), 3, async (kill) => {
        const place = await makePlace(base);
        expect([kill, await migrateUntil(place, kill)]).toEqual([kill, 'killed']);
        const left = await snapshotOf(place);
        const state = whichOf(left.state, before.state, whole.state);
        const logs = whichOf(left.logs, before.logs, whole.logs);
        found.set(state, (found.get(state) ?? 0) + 1);
        found.set(`logs ${logs}`, (found.get(`logs ${logs}`) ?? 0) + 1);
        await migrateHere(place);
        expect(await snapshotOf(place)).toEqual(whole);
        expect(readdirSync(place.folder).filter((name) => name.includes('.part'))).toEqual([]);
        if (isFile && before.state.steps.length > 0) {
          expect((await snapshotOf(openCopies(place))).state).toEqual(before.state);
        }
        await place.remove();
      });
      // Kills that all came too early or too late would prove nothing.
      expect(found.get('absent')).toBeGreaterThan(SAMPLED / 2);
      expect(found.get('whole')).toBeGreaterThan(0);
      // None is killed that the steps do not reach.
      const beyond = { statement: end.statements + 1, moment: 'before' } as const;
      expect(await migrateUntil(await makePlace(base), beyond)).toEqual(end);
    },
    600_000,
  );

  it('keeps every row of every table of the first release', async () => {
    const place = await oldPlace(makePlace);
    const before = await snapshotOf(place);
    const empty = Object.entries({ ...before.state.rows, ...before.logs.rows }).filter(([, rows]) => rows.length === 0);
    expect(empty).toEqual([]);
    await migrateHere(place);
    const after = await snapshotOf(place);
    for (const part of ['state', 'logs'] as const) {
      for (const [table, rows] of Object.entries(before[part].rows)) {
        const kept = (after[part].rows[table] ?? []).map((row) => asBefore(table, JSON.parse(row) as object));
        expect(kept).toHaveLength(rows.length);
        for (const row of rows) expect(kept).toContainEqual(expect.objectContaining(JSON.parse(row) as object));
      }
    }
  });
});
