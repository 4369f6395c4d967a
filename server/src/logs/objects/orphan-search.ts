import { DAY_MS } from '@signalbox/contract/limits';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { addOrphans, readLogStoreRow, storeSearch } from './log-store-row.ts';
import type { ObjectStore } from './object-store.ts';

/** Names per statement, because databases limit the number of values. */
const CHUNK = 500;
/** The names of objects. Anything else in the store was not written by a server. */
const OBJECT = /^(logs\/\d+\/\d+-[0-9a-f]{16})\.\d+$/;

export interface OrphanDeps {
  readonly database: Database;
  readonly store: Pick<ObjectStore, 'list' | 'remove'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly onError: (error: unknown) => void;
}

const knownNames = async ({ read }: Database, names: readonly string[]): Promise<ReadonlySet<string>> => {
  const known = new Set<string>();
  for (let start = 0; start < names.length; start += CHUNK) {
    const chunk = names.slice(start, start + CHUNK);
    const rows = await read.selectFrom('log_object').select('name').where('name', 'in', chunk).execute();
    for (const { name } of rows) known.add(name);
  }
  return known;
};

/** Searches one page. @returns the last name of the page; undefined at the end */
const searchPage = async (
  { database, store }: OrphanDeps,
  after: string,
  now: number,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const listed = await store.list(after);
  const old = listed.filter(({ modified }) => modified < now - DAY_MS).map(({ name }) => name);
  const parts = old.flatMap((name) => {
    const [, object] = OBJECT.exec(name) ?? [];
    return object === undefined ? [] : [{ name, object }];
  });
  const known = await knownNames(database, [...new Set(parts.map(({ object }) => object))]);
  let removed = 0;
  try {
    for (const { name, object } of parts) {
      if (signal.aborted) return after;
      if (known.has(object)) continue;
      await store.remove(name);
      removed += 1;
    }
  } finally {
    if (removed > 0) await addOrphans(database, removed);
  }
  return listed.at(-1)?.name;
};

/**
 * Searches one page of the log store for objects that no row names, and removes them: what a restored database or an
 * interrupted deletion left over. Only objects older than a day, because the clocks of the store and of the server
 * differ. The row of an object is stored before the object and deleted after it, so an object without a row is not
 * needed. After the last page nothing is due for a day. Only one server at a time may call it.
 */
export const searchOrphans = async (deps: OrphanDeps, signal: AbortSignal): Promise<void> => {
  const { database } = deps;
  const now = deps.clock.now();
  const row = await readLogStoreRow(database);
  if (!row || (row.orphans_due !== null && now.toISOString() < row.orphans_due)) return;
  const tomorrow = new Date(now.getTime() + DAY_MS).toISOString();
  try {
    const last = await searchPage(deps, row.orphans_after, now.getTime(), signal);
    await storeSearch(database, { after: last ?? '', due: last === undefined ? tomorrow : null });
  } catch (error) {
    // A key without the permission to list must not keep logs from being moved.
    await storeSearch(database, { after: row.orphans_after, due: tomorrow });
    deps.onError(error);
  }
};
