import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe } from 'vitest';

/** A place for one test's database: settings that open it, gone after the test. */
export interface Place {
  readonly folder: string;
  readonly databaseUrl: string | undefined;
}

export type MakePlace = () => Promise<Place>;

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

const emptyPostgres = async (cleanup: (work: () => Promise<void>) => void): Promise<string> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await admin(`create database ${name}`);
  cleanup(() => admin(`drop database ${name} with (force)`));
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return url.href;
};

type Suite = (makePlace: MakePlace) => void;

const describeOn = (kinds: readonly ('sqlite' | 'postgres')[], title: string, suite: Suite): void => {
  describe.each(kinds)(`${title} on %s`, (kind) => {
    const cleanups: (() => Promise<void> | void)[] = [];
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    });
    suite(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
      cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
      const databaseUrl = kind === 'postgres' ? await emptyPostgres((work) => cleanups.push(work)) : undefined;
      return { folder, databaseUrl };
    });
  });
};

/** Runs one suite on SQLite and on PostgreSQL, each test on an empty database of its own. */
export const describeEachDatabase = (title: string, suite: Suite): void =>
  describeOn(['sqlite', 'postgres'], title, suite);

/** Runs a suite on PostgreSQL alone: on what only a database that is reached over a network can do. */
export const describeRemoteDatabase = (title: string, suite: Suite): void => describeOn(['postgres'], title, suite);
