import { randomBytes } from 'node:crypto';
import pg from 'pg';

const adminUrl = (): string => {
  const url = process.env.SIGNALBOX_TEST_POSTGRES;
  if (!url)
    throw new Error('These tests need PostgreSQL: run npm test, or node tooling/postgres.mjs -- npx vitest run …');
  return url;
};

const nameOf = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1);

const withAdmin = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: adminUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** The first version that can copy a database file by file, which in memory takes a tenth of the time. */
const COPIES_FILES = 150_000;

const copyOf = async (client: pg.Client, databaseUrl: string): Promise<string> => {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  const strategy = Number(rows[0]?.server_version_num) >= COPIES_FILES ? ' strategy file_copy' : '';
  return ` template ${nameOf(databaseUrl)}${strategy}`;
};

/** Creates a database, empty or as a copy of one without connections. Returns its address. */
export const makePostgres = async (like: string | undefined): Promise<string> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withAdmin(async (client) =>
    client.query(`create database ${name}${like === undefined ? '' : await copyOf(client, like)}`),
  );
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return url.href;
};

export const dropPostgres = async (databaseUrl: string): Promise<void> => {
  await withAdmin((client) => client.query(`drop database ${nameOf(databaseUrl)} with (force)`));
};
