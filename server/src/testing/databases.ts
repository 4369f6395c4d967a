import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe } from 'vitest';
import { drawSample } from '../../../testing/sample.ts';

/** Location of the data of one test, deleted after the test. */
export interface TestLocation {
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  /** For tests that create many locations and delete them early. */
  remove(): Promise<void>;
}

/** Creates an empty location, or a copy of one whose database is closed. */
export type MakeLocation = (like?: TestLocation) => Promise<TestLocation>;

const adminUrl = (): string => {
  const url = process.env.SIGNALBOX_TEST_POSTGRES;
  if (!url)
    throw new Error('These tests need PostgreSQL: run npm test, or node tooling/postgres.mjs -- npx vitest run …');
  return url;
};

const admin = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

const nameOf = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1);

const makePostgres = async (like: string | undefined): Promise<string> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await admin(`create database ${name}${like === undefined ? '' : ` template ${nameOf(like)}`}`);
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return url.href;
};

const makeLocation = async (kind: Kind, like: TestLocation | undefined): Promise<TestLocation> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  if (like) cpSync(like.folder, folder, { recursive: true });
  const databaseUrl = kind === 'postgres' ? await makePostgres(like?.databaseUrl) : undefined;
  let isThere = true;
  const remove = async (): Promise<void> => {
    if (!isThere) return;
    isThere = false;
    rmSync(folder, { recursive: true, force: true });
    if (databaseUrl !== undefined) await admin(`drop database ${nameOf(databaseUrl)} with (force)`);
  };
  return { folder, databaseUrl, remove };
};

type Suite = (makeLocation: MakeLocation) => void;
type Kind = 'sqlite' | 'postgres';

const KINDS: readonly Kind[] = ['sqlite', 'postgres'];

const describeOn = (kinds: readonly Kind[], title: string, suite: Suite): void => {
  describe.each(kinds)(`${title} on %s`, (kind) => {
    const locations: TestLocation[] = [];
    afterEach(async () => {
      for (const location of locations.splice(0).reverse()) await location.remove();
    });
    suite(async (like) => {
      const location = await makeLocation(kind, like);
      locations.push(location);
      return location;
    });
  });
};

/** Runs one suite on SQLite and on PostgreSQL, each test on an empty database of its own. */
export const describeEachDatabase = (title: string, suite: Suite): void => describeOn(KINDS, title, suite);

/**
 * Runs a suite that does not depend on the database on SQLite or PostgreSQL, chosen by the seed of the run.
 * `npm run test:full` runs it on both.
 */
export const describeOneDatabase = (title: string, suite: Suite): void =>
  describeOn(drawSample(`databases: ${title}`, KINDS, 1), title, suite);

/** Runs a suite on PostgreSQL only, for behaviour of databases that are reached over a network. */
export const describeRemoteDatabase = (title: string, suite: Suite): void => describeOn(['postgres'], title, suite);
