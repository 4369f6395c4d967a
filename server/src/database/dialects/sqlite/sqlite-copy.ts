import { closeSync, existsSync, fsyncSync, linkSync, openSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { StartError } from '../../../start-error.ts';

/** Returns the bytes that this user may still write in a folder. */
export type FreeBytes = (folder: string) => number;

const freeBytesOf: FreeBytes = (folder) => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

const MB = 1024 * 1024;
/** SQLite's code for a full disk. */
const FULL = 13;

const sync = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const fileOf = async (db: Kysely<never>): Promise<string> => {
  const { rows } = await sql<{ name: string; file: string }>`pragma database_list`.execute(db);
  return rows.find(({ name }) => name === 'main')?.file ?? '';
};

const bytesOf = async (db: Kysely<never>): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db);
  return rows[0]?.bytes ?? 0;
};

const diskFullError = (file: string, bytes: number): StartError =>
  new StartError(
    `The disk is full: the copy of ${basename(file)} before an upgrade needs ${Math.ceil(bytes / MB)} MB in ${dirname(file)}. Nothing was changed. Free disk space and start again.`,
  );

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Deletes what killed starts left over. Keeps files that another process is writing. */
const removeParts = (copy: string): void => {
  const parts = `${basename(copy)}.part-`;
  for (const name of readdirSync(dirname(copy))) {
    if (!name.startsWith(parts)) continue;
    // A journal belongs to the process that writes the part. Deleting it would fail that process with an I/O error.
    const pid = Number(name.slice(parts.length).replace(/-journal$/, ''));
    if (pid === process.pid || !isAlive(pid)) rmSync(join(dirname(copy), name), { force: true });
  }
};

/**
 * Copies a database file to `<file>.before-<step>` next to it, readable only by the owner. The copy appears only when
 * it is complete. An existing copy is kept.
 * @throws StartError when the disk is full
 */
export const copyFile = async (db: Kysely<never>, step: string, freeBytes = freeBytesOf): Promise<void> => {
  const file = await fileOf(db);
  const copy = `${file}.before-${step}`;
  if (file === '') return;
  removeParts(copy);
  if (existsSync(copy)) return;
  const bytes = await bytesOf(db);
  if (freeBytes(dirname(file)) < bytes) throw diskFullError(file, bytes);
  const part = `${copy}.part-${process.pid}`;
  try {
    // SQLite accepts an empty file. Creating it first means that no other user can ever read it.
    closeSync(openSync(part, 'wx', 0o600));
    await sql`vacuum into ${part}`.execute(db);
    sync(part);
    // A rename would replace the copy of another process that has migrated since.
    linkSync(part, copy);
    sync(dirname(file));
  } catch (error) {
    const { code, errcode } = error as { code?: string; errcode?: number };
    if (code === 'ENOSPC' || errcode === FULL) throw diskFullError(file, bytes);
    if (code !== 'EEXIST') throw error;
  } finally {
    rmSync(part, { force: true });
  }
};
