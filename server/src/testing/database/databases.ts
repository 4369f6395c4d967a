import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, inject } from 'vitest';
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
const describeOn = (kinds: readonly Kind[], title: string, suite: Suite, isPrepared = false): void => {
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

/** Runs one suite on SQLite and on PostgreSQL, each test on an empty database of its own. */
export const describeEachDatabase = (title: string, suite: Suite): void => describeOn(KINDS, title, suite);

/**
 * Runs a suite that does not depend on the database on SQLite or PostgreSQL, chosen by the seed of the run.
 * `npm run test:full` runs it on both. Each test gets a database as after the first start of a server.
 */
export const describeOneDatabase = (title: string, suite: Suite): void =>
  describeOn(drawSample(`databases: ${title}`, KINDS, 1), title, suite, true);

/** Like {@link describeOneDatabase}, with empty databases: for tests of the first start and of restored backups. */
export const describeOneEmptyDatabase = (title: string, suite: Suite): void =>
  describeOn(drawSample(`databases: ${title}`, KINDS, 1), title, suite);

/** Runs a suite on PostgreSQL alone: on what only a database that is reached over a network can do. */
export const describeRemoteDatabase = (title: string, suite: Suite): void => describeOn(['postgres'], title, suite);
