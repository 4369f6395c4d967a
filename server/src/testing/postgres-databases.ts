import { randomBytes } from 'node:crypto';
import pg from 'pg';

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

/** Creates a database, empty or as a copy of one without connections. Returns its address. */
export const makePostgres = async (like: string | undefined): Promise<string> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await admin(`create database ${name}${like === undefined ? '' : ` template ${nameOf(like)}`}`);
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return url.href;
};

export const dropPostgres = (databaseUrl: string): Promise<void> =>
  admin(`drop database ${nameOf(databaseUrl)} with (force)`);
