import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { StartError } from '../../../start-error.ts';
import { copyFile } from './sqlite-copy.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

const ROWS = 300;

const open = (file: string): Kysely<never> => {
  const db = new Kysely<never>({ dialect: sqliteDialect(file) });
  onTestFinished(() => db.destroy());
  return db;
};

const numbers = async (file: string): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from number`.execute(open(file))).rows[0]?.n ?? 0;

const setUp = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'signalbox.db');
  const db = open(file);
  await sql`create table number (n integer)`.execute(db);
  await sql`
    insert into number with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${ROWS})
    select n from counted`.execute(db);
  return { folder, db, copy: `${file}.before-0002-more` };
};

it('[R13] a copy of a database contains data of the file and its journal, readable by the owner only', async () => {
  const { folder, db, copy } = await setUp();
  await copyFile(db, '0002-more');
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(await numbers(copy)).toBe(ROWS);
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
});

it('[R13] an existing copy of a database is kept, and leftovers of a killed start are deleted', async () => {
  const { folder, db, copy } = await setUp();
  // No process has such a high id.
  writeFileSync(`${copy}.part-99999999`, 'half');
  await copyFile(db, '0002-more');
  const first = readFileSync(copy);
  await sql`delete from number`.execute(db);
  await copyFile(db, '0002-more');
  expect(readFileSync(copy).equals(first)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
});

it('[R13] files of a running copy are kept, and the journal of a killed one is deleted', async () => {
  const { folder, db, copy } = await setUp();
  const parts = [`${copy}.part-${process.ppid}`, `${copy}.part-${process.ppid}-journal`];
  for (const part of [...parts, `${copy}.part-99999999-journal`]) writeFileSync(part, 'half');
  await copyFile(db, '0002-more');
  const left = readdirSync(folder).filter((name) => name.includes('.part'));
  expect(left.map((name) => join(folder, name)).toSorted()).toEqual(parts);
});

it('[R13] a copy of a database reports a full disk in one sentence and leaves no file', async () => {
  const { folder, db, copy } = await setUp();
  const refused = copyFile(db, '0002-more', () => 4096);
  await expect(refused).rejects.toThrow(StartError);
  await expect(refused).rejects.toThrow(
    `The disk is full: the copy of signalbox.db before an upgrade needs 1 MB in ${folder}.`,
  );
  expect(existsSync(copy)).toBe(false);
});
