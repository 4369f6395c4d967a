import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { sqliteCapabilities } from './sqlite-capabilities.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

const open = (): Kysely<never> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-driver-'));
  const db = new Kysely<never>({ dialect: sqliteDialect(join(folder, 'a.db')) });
  onTestFinished(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  return db;
};

it('the event loop continues while long rows are read, even for the same query twice in one transaction', async () => {
  const db = open();
  const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(2 ** 20));
  await sql`create table long (data text)`.execute(db);
  for (const text of texts) await sql`insert into long values (${text})`.execute(db);
  let loopIterations = 0;
  let reading = true;
  const count = (): void => {
    loopIterations++;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  await db.transaction().execute(async (tx) => {
    const read = async (): Promise<string[]> =>
      (await sql<{ data: string }>`select data from long order by data`.execute(tx)).rows.map(({ data }) => data);
    for (const found of await Promise.all([read(), read()])) expect(found.map(String)).toEqual(texts);
  });
  reading = false;
  expect(loopIterations).toBeGreaterThanOrEqual(texts.length);
});

it('the space of deleted rows is freed 200 pages at a time', async () => {
  const db = open();
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
