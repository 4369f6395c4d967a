import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { KEY_PURPOSE, writeBackup } from '../../backup/backup-file.ts';
import { isLeftOut } from '../../backup/left-out.ts';
import { withMovedLogs } from '../../backup/with-moved-logs.ts';
import type { Config } from '../../config.ts';
import { storeBackupTime } from '../../database/last-backup.ts';
import { type DatabaseLocation, openDatabase } from '../../database/open-database.ts';
import type { Snapshot } from '../../database/snapshot.ts';
import { holdsNothing, withSnapshot } from '../../database/stored-copy.ts';
import type { LogObjects } from '../../logs/objects/block-source.ts';
import { openExistingObjects } from '../../logs/objects/open-log-store.ts';
import { keyText, readKeyFile, readKeySetting } from '../../secrets/master-key.ts';
import { encryptInBox, type PassphraseBox } from '../../secrets/passphrase-box.ts';
import { StartError } from '../../start-error.ts';
import { VERSION } from '../../version.ts';
import { Progress } from '../progress.ts';
import { note, print, printJson, readSecret } from '../terminal.ts';
import { locationOf, readCommandConfig } from '../with-state.ts';

export interface PassphraseOptions {
  readonly passphrase?: string;
  readonly passphraseStdin?: boolean;
}

interface BackupCommandOptions extends PassphraseOptions {
  readonly output?: string;
  readonly force?: boolean;
  readonly withKey?: boolean;
  readonly withTokens?: boolean;
  readonly withMovedLogs?: boolean;
  readonly json?: boolean;
}

const encryptedKey = async (config: Config, options: BackupCommandOptions): Promise<PassphraseBox | null> => {
  const passphrase = await readSecret('passphrase', options.passphrase, options.passphraseStdin);
  if (!options.withKey) {
    if (passphrase !== undefined) throw new StartError('A passphrase needs --with-key.');
    return null;
  }
  if (passphrase === undefined) throw new StartError('--with-key needs --passphrase-stdin or --passphrase.');
  const master = readKeySetting(config.encryptionKey, config.otherEncryptionKeys) ?? readKeyFile(config.dataFolder);
  if (!master) throw new StartError('There is no encryption key to put into the backup.');
  return await encryptInBox(passphrase, KEY_PURPOSE, keyText([master, ...master.others]));
};

/** Formats a number of bytes. */
const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Stores the time for the System page. The backup is complete without it. */
const keepTime = async (location: DatabaseLocation, made: string): Promise<void> => {
  const database = openDatabase(location);
  try {
    await storeBackupTime(database, made);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    note(`The backup is complete, but the database could not store its time: ${reason}`);
  } finally {
    await database.close();
  }
};

/** The store of moved logs, if the backup is to contain them. */
const movedLogsOf = async (config: Config): Promise<LogObjects> => {
  const master = readKeySetting(config.encryptionKey, config.otherEncryptionKeys) ?? readKeyFile(config.dataFolder);
  const database = openDatabase(locationOf(config));
  try {
    const objects = master && (await openExistingObjects(config, database, master));
    if (objects) return objects;
    throw new StartError('--with-moved-logs needs the log store and the encryption key: set them as for the server.');
  } finally {
    await database.close();
  }
};

const withAllLogs = (snapshot: Snapshot, objects: LogObjects | undefined, missing: Set<number>): Snapshot =>
  objects ? withMovedLogs(snapshot, objects, (taskId) => missing.add(taskId)) : snapshot;

/** Warns of missing logs, except those that were deleted after the moment of the backup. */
const warnOfMissing = async (location: DatabaseLocation, taskIds: ReadonlySet<number>): Promise<void> => {
  if (taskIds.size === 0) return;
  const database = openDatabase(location);
  try {
    const { read } = database;
    let count = 0;
    for (const id of taskIds) {
      const task = await read.selectFrom('task').select('log_removed').where('id', '=', id).executeTakeFirst();
      if (task?.log_removed === 0) count += 1;
    }
    if (count > 0)
      note(
        `Objects of ${count} ${count === 1 ? 'log' : 'logs'} are missing in the log store, so the backup is without their lines. Restore the objects from a copy of the log store.`,
      );
  } finally {
    await database.close();
  }
};

/** A database of an older version is backed up without migrating it, so a backup can be made before an upgrade. */
export const backup = async (options: BackupCommandOptions): Promise<void> => {
  const config = readCommandConfig();
  const key = await encryptedKey(config, options);
  const location = locationOf(config);
  if (await holdsNothing(location)) throw new StartError('There is nothing to back up.');
  const objects = options.withMovedLogs ? await movedLogsOf(config) : undefined;
  const made = new Date().toISOString();
  const file = resolve(options.output ?? `signalbox-${made.slice(0, 19).replaceAll(':', '-')}Z.backup`);
  const withTokens = options.withTokens ?? false;
  const missing = new Set<number>();
  let keepsTime = false;
  const rows = await withSnapshot(location, async (snapshot) => {
    // Missing in a database of an older version.
    keepsTime = snapshot.tables.some(({ name }) => name === 'last_backup');
    const total = snapshot.tables
      .filter((table) => !isLeftOut(table, withTokens))
      .reduce((sum, table) => sum + table.rows, 0);
    const progress = new Progress('Backing up', total);
    await writeBackup(file, withAllLogs(snapshot, objects, missing), {
      header: {
        version: VERSION,
        made,
        database: 'url' in location ? 'postgres' : 'sqlite',
        with_tokens: withTokens,
        key,
      },
      mayReplace: options.force ?? false,
      onRow: () => progress.add(),
    }).finally(() => progress.end());
    return total;
  });
  await warnOfMissing(location, missing);
  if (keepsTime) await keepTime(location, made);
  const bytes = statSync(file).size;
  if (options.json) return printJson({ file, made, rows, bytes, with_key: key !== null, with_tokens: withTokens });
  print(`${rows} rows written to ${file} (${size(bytes)}).`);
  print(
    key === null
      ? 'The backup does not contain the encryption key. Keep a copy of the key elsewhere: without it the stored secrets are lost.'
      : 'The backup contains the encryption key, protected by the passphrase.',
  );
};
