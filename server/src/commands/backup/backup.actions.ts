import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { KEY_PURPOSE, writeBackup } from '../../backup/backup-file.ts';
import { isLeftOut } from '../../backup/left-out.ts';
import type { Config } from '../../config.ts';
import { storeBackupTime } from '../../database/last-backup.ts';
import { type DatabaseLocation, openDatabase } from '../../database/open-database.ts';
import { holdsNothing, withSnapshot } from '../../database/stored-copy.ts';
import { keyText, readKeyFile, readKeySetting } from '../../secrets/master-key.ts';
import { encryptInBox, type PassphraseBox } from '../../secrets/passphrase-box.ts';
import { StartError } from '../../start-error.ts';
import { VERSION } from '../../version.ts';
import { Progress } from '../progress.ts';
import { note, print, printJson, readSecret } from '../terminal.ts';
import { locationOf, readCommandConfig } from '../with-state.ts';
import { type BackedUpLogs, withBackedUpLogs } from './moved-logs.ts';

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
  readonly skipMissingLogs?: boolean;
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

/** A backup without moved logs, which has nothing to look up. */
const ONLY_DATABASE: BackedUpLogs = { of: (snapshot) => snapshot, countMissing: () => Promise.resolve(0) };

/** @throws StartError unless the backup may be incomplete */
const reportMissing = (file: string, count: number, maySkip: boolean): void => {
  if (count === 0) return;
  const objects = `objects of ${count} ${count === 1 ? 'log' : 'logs'} are missing in the log store`;
  if (maySkip) {
    note(`The backup is without lines, because ${objects}.`);
    return;
  }
  throw new StartError(
    `${file} is without lines, because ${objects}: restore them from a copy of the log store, or repeat this with --skip-missing-logs.`,
  );
};

const makeBackup = async (config: Config, options: BackupCommandOptions, logs: BackedUpLogs): Promise<void> => {
  const key = await encryptedKey(config, options);
  const location = locationOf(config);
  if (await holdsNothing(location)) throw new StartError('There is nothing to back up.');
  const made = new Date().toISOString();
  const file = resolve(options.output ?? `signalbox-${made.slice(0, 19).replaceAll(':', '-')}Z.backup`);
  const withTokens = options.withTokens ?? false;
  let keepsTime = false;
  const rows = await withSnapshot(location, async (snapshot) => {
    // Missing in a database of an older version.
    keepsTime = snapshot.tables.some(({ name }) => name === 'last_backup');
    const total = snapshot.tables
      .filter((table) => !isLeftOut(table, withTokens))
      .reduce((sum, table) => sum + table.rows, 0);
    const progress = new Progress('Backing up', total);
    await writeBackup(file, logs.of(snapshot), {
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
  const missing = await logs.countMissing();
  reportMissing(file, missing, options.skipMissingLogs ?? false);
  if (keepsTime) await keepTime(location, made);
  const bytes = statSync(file).size;
  if (options.json) {
    const has = { with_key: key !== null, with_tokens: withTokens, missing_logs: missing };
    return printJson({ file, made, rows, bytes, ...has });
  }
  print(`${rows} rows written to ${file} (${size(bytes)}).`);
  print(
    key === null
      ? 'The backup does not contain the encryption key. Keep a copy of the key elsewhere: without it the stored secrets are lost.'
      : 'The backup contains the encryption key, protected by the passphrase.',
  );
};

/** A database of an older version is backed up without migrating it, so a backup can be made before an upgrade. */
export const backup = async (options: BackupCommandOptions): Promise<void> => {
  const config = readCommandConfig();
  await (options.withMovedLogs
    ? withBackedUpLogs(config, (logs) => makeBackup(config, options, logs))
    : makeBackup(config, options, ONLY_DATABASE));
};
