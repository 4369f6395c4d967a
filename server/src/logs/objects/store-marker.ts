import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { StartError } from '../../start-error.ts';
import { type LogStoreRow, readLogStoreRow, storeMarked } from './log-store-row.ts';
import { LogStoreError, logStoreProblem, type ObjectStore } from './object-store.ts';

/** Name of the object that contains the id of the installation. */
const MARKER = 'signalbox-log-store';

const foreign = (store: ObjectStore): LogStoreError =>
  new LogStoreError(
    'refused',
    `The log store ${store.address} belongs to another installation: choose an empty one, or that of this database.`,
  );

const unmarked = (store: ObjectStore): LogStoreError =>
  new LogStoreError(
    'refused',
    `The log store ${store.address} is not the one that this database uses, because it has no file ${MARKER}: mount or share the same store for all servers.`,
  );

/** The id in the store; undefined if it has none. */
const readMarker = async (store: ObjectStore, length: number): Promise<string | undefined> => {
  try {
    return (await store.read(MARKER, 0, length)).toString();
  } catch (error) {
    if (logStoreProblem(error) === 'missing') return undefined;
    throw error;
  }
};

/**
 * Checks that this is the store of the installation.
 * @throws LogStoreError with what to do
 */
export const checkMarker = async (
  store: ObjectStore,
  { installation }: Pick<LogStoreRow, 'installation'>,
): Promise<void> => {
  const found = await readMarker(store, installation.length);
  if (found === undefined) throw unmarked(store);
  if (found !== installation) throw foreign(store);
};

/** Checks that objects can be written and deleted, and writes the marker into a new store. */
const checkWritable = async (database: Database, store: ObjectStore, row: LogStoreRow): Promise<void> => {
  const found = await readMarker(store, row.installation.length);
  if (found !== undefined && found !== row.installation) throw foreign(store);
  if (found === undefined) {
    if ((await readLogStoreRow(database))?.marked === 1) throw unmarked(store);
    await store.put(MARKER, Buffer.from(row.installation)).catch(async (error: unknown) => {
      // Another server may have written it at the same time.
      if ((await readMarker(store, row.installation.length)) !== row.installation) throw error;
    });
  }
  const probe = `check-${randomBytes(8).toString('hex')}`;
  await store.put(probe, Buffer.from(row.installation));
  await store.remove(probe);
  await storeMarked(database, store.address);
};

/**
 * Checks the store at the start of a server. If a store that was used before does not answer
 * or is full, logs are moved later.
 * @throws StartError with what to do
 */
export const checkAtStart = async (
  database: Database,
  store: ObjectStore,
  row: LogStoreRow,
  onAway: (error: unknown) => void,
): Promise<void> => {
  try {
    await checkWritable(database, store, row);
  } catch (error) {
    const problem = logStoreProblem(error);
    if (problem === undefined) throw error;
    if ((problem === 'away' || problem === 'full') && row.marked === 1) return onAway(error);
    throw new StartError(`${(error as Error).message.replace(/\.$/, '')}. Check SIGNALBOX_LOG_STORE.`);
  }
};
