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

it('a statement that failed works with other values at its next use', async () => {
  const db = open();
  await sql`create table named (name text unique)`.execute(db);
  const insert = (name: string) => sql`insert into named values (${name}) returning name`.execute(db);
  const readNumbers = async (text: string) =>
    (await sql<{ n: number }>`select json_extract(${text}, '$') as n`.execute(db)).rows;
  const streamed = async (text: string) => {
    const rows = db.getExecutor().stream<{ n: number }>(sql`select json(${text}) as n`.compile(db), 1);
    return (await Array.fromAsync(rows)).length;
  };
  await insert('a');
  await expect(insert('a')).rejects.toThrow('UNIQUE');
  expect((await insert('b')).rows).toEqual([{ name: 'b' }]);
  await expect(readNumbers('{')).rejects.toThrow('malformed');
  expect(await readNumbers('1')).toEqual([{ n: 1 }]);
  await expect(streamed('{')).rejects.toThrow('malformed');
  expect(await streamed('1')).toBe(1);
});

it('a statement that failed after its first long rows works at its next use', async () => {
  const db = open();
  await sql`create table long (id integer primary key, data text)`.execute(db);
  const long = JSON.stringify('a'.repeat(2 ** 20));
  for (const text of [long, long, '{']) await sql`insert into long (data) values (${text})`.execute(db);
  const read = async (last: number) =>
    (await sql`select json(data) from long where id <= ${last} order by id`.execute(db)).rows.length;
  await expect(read(3)).rejects.toThrow('malformed');
  expect(await read(2)).toBe(2);
});
