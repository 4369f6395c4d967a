import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startServer } from '../composition/server.ts';
import { dropPostgres, makePostgres } from './postgres-databases.ts';
import { quickHash } from './quick-hash.ts';
import { ADMIN_PASSWORD, serverConfig } from './server-config.ts';

/** Folders and databases after the first start of a server, which tests copy in place of starting a server for the first time. */
export interface PreparedDatabases {
  readonly sqlite: { readonly folder: string; readonly databaseUrl: undefined };
  readonly postgres: { readonly folder: string; readonly databaseUrl: string } | undefined;
}

declare module 'vitest' {
  interface ProvidedContext {
    preparedDatabases: PreparedDatabases;
  }
}

const prepare = async <T extends string | undefined>(databaseUrl: T) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-prepared-'));
  const server = await startServer(serverConfig({ folder, databaseUrl }));
  await server.storage.database.autocommit
    .updateTable('users')
    .set({ password_hash: await quickHash(ADMIN_PASSWORD) })
    .execute();
  await server.stop();
  return { folder, databaseUrl };
};

let prepared: PreparedDatabases | undefined;

/** Runs once before all tests of the server: migrations and the first user take longer than most tests. */
export const setup = async (project: TestProject): Promise<void> => {
  const sqlite = await prepare(undefined);
  const postgres = process.env.SIGNALBOX_TEST_POSTGRES ? await prepare(await makePostgres(undefined)) : undefined;
  prepared = { sqlite, postgres };
  project.provide('preparedDatabases', prepared);
};

export const teardown = async (): Promise<void> => {
  for (const one of [prepared?.sqlite, prepared?.postgres])
    if (one) rmSync(one.folder, { recursive: true, force: true });
  if (prepared?.postgres) await dropPostgres(prepared.postgres.databaseUrl);
};
