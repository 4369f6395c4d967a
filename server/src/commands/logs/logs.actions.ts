import type { Config } from '../../config.ts';
import type { Database, Logs } from '../../database/database.ts';
import { openLogsFile } from '../../database/logs-file.ts';
import { databaseLogStore } from '../../logs/database-log.store.ts';
import type { LogStore } from '../../logs/log-store.ts';
import { type LogMoverDeps, sweepLogs } from '../../logs/objects/log-mover.ts';
import { readTotals } from '../../logs/objects/log-object-totals.ts';
import { readLogStoreRow } from '../../logs/objects/log-store-row.ts';
import { moveAllBack } from '../../logs/objects/move-all-back.ts';
import { openLogStore } from '../../logs/objects/open-log-store.ts';
import { openLogObjects } from '../../logs/objects/open-object-store.ts';
import { loadMasterKey } from '../../secrets/master-key.ts';
import { StartError } from '../../start-error.ts';
import { Progress } from '../progress.ts';
import { note, print, printJson } from '../terminal.ts';
import { withState } from '../with-state.ts';

const logsText = (count: number): string => `${count} ${count === 1 ? 'log' : 'logs'}`;

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

interface OpenLogs {
  readonly logs: LogStore;
  close(): Promise<void>;
}

/** Opens the logs of a database in this process, next to a server that may have them open too. */
export const openLogs = (
  { dataFolder }: Config,
  { capabilities, autocommit }: Database,
  objects: ReturnType<typeof openLogObjects>,
): OpenLogs => {
  const file = capabilities.logsApart ? openLogsFile(dataFolder) : undefined;
  const logs = databaseLogStore(file ?? (autocommit as unknown as Logs), capabilities, objects);
  return {
    logs,
    close: async () => {
      await logs.close();
      await file?.destroy();
    },
  };
};

type Deps = LogMoverDeps & { readonly logs: LogStore };

/** Runs `work` with the log store of the settings. */
const withLogStore = (work: (deps: Deps, database: Database, config: Config) => Promise<void>): Promise<void> =>
  withState(async (database, config) => {
    const master = loadMasterKey(config.encryptionKey, config.dataFolder, config.otherEncryptionKeys);
    const opened = await openLogStore(config, database, master, (error) => {
      throw error;
    });
    if (!opened)
      throw new StartError('No log store is set: set SIGNALBOX_LOG_STORE to the value that the server uses.');
    const { logs, close } = openLogs(config, database, openLogObjects(opened.moved));
    const deps: Deps = {
      ...{ database, logs, store: opened.store, row: opened.row, afterHours: 0 },
      clock: { now: () => new Date() },
      onError: (error) => note(`A log could not be moved: ${error instanceof Error ? error.message : String(error)}`),
    };
    try {
      await work(deps, database, config);
    } finally {
      await close();
    }
  });

const whileMoving = () => new StartError('A server is moving logs now: wait until it has finished, or run this again.');

const forever = (): AbortSignal => new AbortController().signal;

/** Totals of all ended tasks, whenever they ended. */
const totalsOf = (database: Database) => readTotals(database, new Date().toISOString());

export const status = ({ json }: { readonly json?: boolean }): Promise<void> =>
  withState(async (database) => {
    const row = await readLogStoreRow(database);
    const totals = await totalsOf(database);
    const failing = { failing_since: row?.failing_since ?? null, failure: row?.failure ?? null };
    if (json) return printJson({ address: row?.address ?? null, ...totals, ...failing });
    if (!row) return print('All logs are in the database.');
    print(
      `${logsText(totals.moved)} (${megabytes(totals.bytes)}) in ${row.address}, ${totals.waiting} in the database.`,
    );
    if (totals.removing > 0) print(`${totals.removing} deleted logs are still in the store.`);
    if (row.failing_since !== null) print(`Moves fail since ${row.failing_since}: ${row.failure}`);
  });

export const move = (): Promise<void> =>
  withLogStore(async (deps, database) => {
    const before = await totalsOf(database);
    const progress = new Progress('Moving logs', before.waiting);
    const isAlone = await sweepLogs({ ...deps, onMoved: () => progress.add() }, forever()).finally(() =>
      progress.end(),
    );
    if (!isAlone) throw whileMoving();
    const { moved, bytes, waiting } = await totalsOf(database);
    print(`${logsText(moved)} (${megabytes(bytes)}) in ${deps.store.address}, ${waiting} in the database.`);
  });

export const moveBack = (): Promise<void> =>
  withLogStore(async (deps, database, config) => {
    if (config.logStore.afterHours !== undefined)
      throw new StartError(
        'Servers would move the logs again: set SIGNALBOX_LOG_STORE_AFTER_HOURS=never for all servers and this command, and restart the servers first.',
      );
    const { moved } = await totalsOf(database);
    const progress = new Progress('Moving logs back', moved);
    const count = await moveAllBack(deps, () => progress.add()).finally(() => progress.end());
    if (count === undefined) throw whileMoving();
    print(`Moved ${logsText(count)} back into the database.`);
    print('Remove SIGNALBOX_LOG_STORE from the settings of all servers, and restart them.');
  });
