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

it('[R13] copies what is in the file and what is only in its log, for the owner alone', async () => {
  const { folder, db, copy } = await setUp();
  await copyFile(db, '0002-more');
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(await numbers(copy)).toBe(ROWS);
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
});

it('[R13] leaves a copy alone that is there, and removes what a killed start left of one', async () => {
  const { folder, db, copy } = await setUp();
  // No process has so high a number.
  writeFileSync(`${copy}.part-99999999`, 'half');
  await copyFile(db, '0002-more');
  const first = readFileSync(copy);
  await sql`delete from number`.execute(db);
  await copyFile(db, '0002-more');
  expect(readFileSync(copy).equals(first)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
});

it('[R13] leaves alone what another process is writing, and removes the journal of one that was killed', async () => {
  const { folder, db, copy } = await setUp();
  const parts = [`${copy}.part-${process.ppid}`, `${copy}.part-${process.ppid}-journal`];
  for (const part of [...parts, `${copy}.part-99999999-journal`]) writeFileSync(part, 'half');
  await copyFile(db, '0002-more');
  const left = readdirSync(folder).filter((name) => name.includes('.part'));
  expect(left.map((name) => join(folder, name)).toSorted()).toEqual(parts);
});

it('[R13] says in one sentence that there is no room, and leaves nothing', async () => {
  const { folder, db, copy } = await setUp();
  const refused = copyFile(db, '0002-more', () => 4096);
  await expect(refused).rejects.toThrow(StartError);
  await expect(refused).rejects.toThrow(
    `There is no room for the copy of signalbox.db that is made before an upgrade: 1 MB are needed in ${folder}.`,
  );
  expect(existsSync(copy)).toBe(false);
});
