import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, inject } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { dropPostgres, makePostgres } from '../postgres-databases.ts';

/** Where a test keeps the data of its server. Removed after the test. */
export interface TestLocation {
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  /** Removes it before the end of the test, for tests with many locations. */
  remove(): Promise<void>;
}

/** Makes an empty location, or a copy of one whose database has no connections. */
export type MakeLocation = (like?: TestLocation) => Promise<TestLocation>;

type Origin = Pick<TestLocation, 'folder' | 'databaseUrl'>;

const makeLocation = async (kind: Kind, like: Origin | undefined): Promise<TestLocation> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  if (like) cpSync(like.folder, folder, { recursive: true });
  const databaseUrl = kind === 'postgres' ? await makePostgres(like?.databaseUrl) : undefined;
  let isThere = true;
  const remove = async (): Promise<void> => {
    if (!isThere) return;
    isThere = false;
    rmSync(folder, { recursive: true, force: true });
    if (databaseUrl !== undefined) await dropPostgres(databaseUrl);
  };
  return { folder, databaseUrl, remove };
};

type Suite = (makeLocation: MakeLocation) => void;
type Kind = 'sqlite' | 'postgres';

const KINDS: readonly Kind[] = ['sqlite', 'postgres'];

/** @param isPrepared whether a new location is like after the first start of a server, with its first user */
const describeOn = (kinds: readonly Kind[], title: string, isPrepared: boolean, suite: Suite): void => {
  describe.each(kinds)(`${title} on %s`, (kind) => {
    const locations: TestLocation[] = [];
    afterEach(async () => {
      for (const location of locations.splice(0).reverse()) await location.remove();
    });
    suite(async (like) => {
      const origin = like ?? (isPrepared ? inject('preparedDatabases')[kind] : undefined);
      const location = await makeLocation(kind, origin);
      locations.push(location);
      return location;
    });
  });
};

const drawKind = (title: string): readonly Kind[] => drawSample(`databases: ${title}`, KINDS, 1);

/**
 * Runs one suite on SQLite and on PostgreSQL. In this and the following functions, each test gets a database of its own
 * as after the first start of a server, or an empty one if its name contains `Empty`.
 */
export const describeEachDatabase = (title: string, suite: Suite): void => describeOn(KINDS, title, true, suite);

/** For tests of migrations, of the first start and of restored backups. */
export const describeEachEmptyDatabase = (title: string, suite: Suite): void => describeOn(KINDS, title, false, suite);

/**
 * Runs a suite that does not depend on the database on SQLite or PostgreSQL, chosen by the seed of the run.
 * `npm run test:full` runs it on both.
 */
export const describeOneDatabase = (title: string, suite: Suite): void =>
  describeOn(drawKind(title), title, true, suite);

/** The same, but all tests of the suite share one location. `location` may be called in tests and in hooks. */
export const describeSharedDatabase = (title: string, suite: (location: () => TestLocation) => void): void => {
  describe.each(drawKind(title))(`${title} on %s`, (kind) => {
    let shared: TestLocation;
    beforeAll(async () => {
      shared = await makeLocation(kind, inject('preparedDatabases')[kind]);
    });
    afterAll(() => shared.remove());
    suite(() => shared);
  });
};

export const describeOneEmptyDatabase = (title: string, suite: Suite): void =>
  describeOn(drawKind(title), title, false, suite);

/** Runs a suite on PostgreSQL alone: on what only a database that is reached over a network can do. */
export const describeRemoteDatabase = (title: string, suite: Suite): void =>
  describeOn(['postgres'], title, true, suite);

export const describeRemoteEmptyDatabase = (title: string, suite: Suite): void =>
  describeOn(['postgres'], title, false, suite);
