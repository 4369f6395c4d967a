import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { sqliteCapabilities } from './sqlite-capabilities.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

it('gives back what deleted rows held, 200 pages at a time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-driver-'));
  const db = new Kysely<never>({ dialect: sqliteDialect(join(folder, 'a.db')) });
  onTestFinished(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  const free = async () => (await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db)).rows[0];
  await sql`create table filler (data blob)`.execute(db);
  await sql`
    insert into filler with recursive counted(i) as (select 1 union all select i + 1 from counted where i < 500)
    select zeroblob(5000) from counted`.execute(db);
  await sql`delete from filler`.execute(db);
  const before = (await free())?.freelist_count ?? 0;
  expect(before).toBeGreaterThan(400);
  await sqliteCapabilities.tidy(db);
  expect((await free())?.freelist_count).toBe(before - 200);
});
