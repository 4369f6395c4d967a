import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { StartError } from '../../start-error.ts';
import type { MovedLogs } from '../log-worker.messages.ts';
import type { LogObjects } from './block-source.ts';
import { ensureLogStoreRow, type LogStoreRow, readLogStoreRow, secretOf } from './log-store-row.ts';
import { logStoreProblem, type ObjectStore } from './object-store.ts';
import { openObjectStore } from './open-object-store.ts';
import { checkAtStart, checkMarker } from './store-marker.ts';

/** The log store of a server, if one is set. */
export interface OpenLogStore {
  readonly store: ObjectStore;
  readonly row: LogStoreRow;
  readonly moved: MovedLogs;
}

/** Refuses to go on without the store that contains logs. */
const refuseWithout = async (database: Database): Promise<void> => {
  const row = await readLogStoreRow(database);
  if (!row) return;
  const object = await database.read.selectFrom('log_object').select('name').limit(1).executeTakeFirst();
  if (object)
    throw new StartError(
      `Logs were moved to ${row.address}: set SIGNALBOX_LOG_STORE to it, or move them back first, with the command logs move-back.`,
    );
};

/**
 * Opens and checks the log store that the settings name; undefined if all logs are in the database.
 * @param onAway called if the store does not answer
 * @throws StartError with what to do
 */
export const openLogStore = async (
  { logStore: { target } }: Pick<Config, 'logStore'>,
  database: Database,
  master: MasterKey,
  onAway: (error: unknown) => void,
): Promise<OpenLogStore | undefined> => {
  if (!target) {
    await refuseWithout(database);
    return undefined;
  }
  const store = openObjectStore(target);
  const row = await ensureLogStoreRow(database, master, store.address);
  await checkAtStart(database, store, row, onAway);
  return { store, row, moved: { target, secret: secretOf(master, row) } };
};

/**
 * Opens the log store that a database uses already, and checks that it is this one; undefined without one.
 * @throws StartError with what to do
 */
export const openExistingObjects = async (
  { logStore: { target } }: Pick<Config, 'logStore'>,
  database: Database,
  master: MasterKey,
): Promise<LogObjects | undefined> => {
  const row = target && (await readLogStoreRow(database));
  if (!row) return undefined;
  const store = openObjectStore(target);
  try {
    await checkMarker(store, row);
  } catch (error) {
    if (logStoreProblem(error) === undefined) throw error;
    throw new StartError((error as Error).message);
  }
  return { store, secret: secretOf(master, row) };
};
