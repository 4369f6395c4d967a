import { join } from 'node:path';
import { type BackupHeader, type BackupReader, KEY_PURPOSE, readBackup } from '../../backup/backup-file.ts';
import { isLeftOut, schedulePauser } from '../../backup/left-out.ts';
import { commitRestore, deleteRestoreFolder, finishRestore, makeRestoreFolder } from '../../backup/restored-folder.ts';
import { type Config, readConfig } from '../../config.ts';
import { lockFolder } from '../../database/folder-lock.ts';
import type { Cell, SnapshotWriter } from '../../database/snapshot.ts';
import { fillLocation, holdsNothing } from '../../database/stored-copy.ts';
import { makeDataFolder } from '../../files/data-folder.ts';
import { cleanUpOnSignal } from '../../files/interruption.ts';
import { keyIdOf } from '../../secrets/cipher.ts';
import { ENCRYPTED_COLUMNS } from '../../secrets/encrypted-columns.ts';
import {
  asRing,
  type MasterKey,
  readKeyFile,
  readKeySetting,
  readKeys,
  writeKeyFile,
} from '../../secrets/master-key.ts';
import { decryptBox } from '../../secrets/passphrase-box.ts';
import { StartError } from '../../start-error.ts';
import { Progress } from '../progress.ts';
import { print, readSecret } from '../terminal.ts';
import { locationOf } from '../with-state.ts';
import type { PassphraseOptions } from './backup.actions.ts';

const openKeyOf = async (header: BackupHeader, passphrase: string | undefined): Promise<MasterKey | undefined> => {
  if (header.key === null) {
    if (passphrase !== undefined) throw new StartError('This backup contains no key, so it needs no passphrase.');
    return undefined;
  }
  if (passphrase === undefined) return undefined;
  const text = await decryptBox(passphrase, KEY_PURPOSE, header.key);
  if (text === undefined) throw new StartError('The passphrase of the key in this backup is wrong.');
  return readKeys(text, 'The key in this backup');
};

/** Returns the index of the encrypted column of a table. */
const encryptedColumn = (table: string, columns: readonly string[]): number => {
  const target = Object.values(ENCRYPTED_COLUMNS).find((encrypted) => encrypted.table === table);
  return target ? columns.indexOf(target.column) : -1;
};

interface CopyOptions {
  readonly keys: MasterKey | undefined;
  readonly keepSchedules: boolean;
}

/**
 * Copies every row except those that are left out, and pauses schedules unless they are to stay active.
 * @returns how many schedules were paused
 * @throws StartError when none of the keys decrypts a secret
 */
const copyRows = async (
  { header, rows }: BackupReader,
  writer: SnapshotWriter,
  { keys, keepSchedules }: CopyOptions,
): Promise<number> => {
  const known = new Set(keys ? [keys.id, ...keys.others.map(({ id }) => id)] : []);
  const progress = new Progress(
    'Restoring',
    header.tables.reduce((sum, table) => sum + table.rows, 0),
  );
  let encrypted = -1;
  let paused = 0;
  let pause: ((row: Cell[]) => boolean) | undefined;
  try {
    for await (const { table, row } of rows()) {
      if (isLeftOut(table, header.with_tokens)) continue;
      if (!row) {
        encrypted = encryptedColumn(table.name, table.columns);
        pause = table.name === 'schedule' && !keepSchedules ? schedulePauser(table) : undefined;
        await writer.begin(table);
        continue;
      }
      const id = encrypted < 0 ? undefined : keyIdOf(String(row[encrypted]));
      if (id !== undefined && !known.has(id))
        throw new StartError(
          `The secrets in this backup were encrypted with key ${id}, which is missing. Set SIGNALBOX_ENCRYPTION_KEY to it, or put its file encryption.key into the data folder${header.key === null ? '' : ', or give the passphrase'}. Nothing was changed.`,
        );
      if (pause?.(row)) paused++;
      await writer.add(row);
      progress.add();
    }
  } finally {
    progress.end();
  }
  return paused;
};

const ring = (...keys: readonly (MasterKey | undefined)[]): MasterKey | undefined => {
  const [first, ...more] = keys.flatMap((key) => (key ? [key, ...key.others] : []));
  return first && asRing([first, ...more]);
};

interface RestoreOptions {
  readonly given: MasterKey | undefined;
  readonly keepSchedules: boolean;
}

const restoreFiles = async (
  config: Config,
  backup: BackupReader,
  { given, keepSchedules }: RestoreOptions,
): Promise<number> => {
  const { header } = backup;
  const kept = readKeyFile(config.dataFolder);
  const clear = cleanUpOnSignal(() => deleteRestoreFolder(config.dataFolder));
  const folder = makeRestoreFolder(config.dataFolder);
  try {
    // The previous keys may be needed to open older backups.
    const keys = ring(given, kept);
    if (given && keys) writeKeyFile(folder, [keys, ...keys.others]);
    const copyHeader = { steps: header.steps, nextIds: header.next_ids };
    const usable = ring(readKeySetting(config.encryptionKey, config.otherEncryptionKeys)) ?? keys;
    const paused = await fillLocation({ folder, replaces: config.dataFolder }, copyHeader, (writer) =>
      copyRows(backup, writer, { keys: usable, keepSchedules }),
    );
    commitRestore(config.dataFolder);
    return paused;
  } finally {
    deleteRestoreFolder(config.dataFolder);
    clear();
  }
};

const restoreServer = async (
  config: Config,
  url: string,
  backup: BackupReader,
  { given, keepSchedules }: RestoreOptions,
): Promise<number> => {
  const { header } = backup;
  const keys = ring(given, readKeyFile(config.dataFolder));
  // Before the database is replaced: if the process is killed in between, the file only has an additional key.
  if (given && keys) writeKeyFile(config.dataFolder, [keys, ...keys.others]);
  const usable = ring(readKeySetting(config.encryptionKey, config.otherEncryptionKeys)) ?? keys;
  const copyHeader = { steps: header.steps, nextIds: header.next_ids };
  return await fillLocation({ url }, copyHeader, (writer) => copyRows(backup, writer, { keys: usable, keepSchedules }));
};

export const restore = async (
  file: string,
  options: PassphraseOptions & { readonly force?: boolean; readonly keepSchedules?: boolean },
): Promise<void> => {
  const config = readConfig();
  const passphrase = await readSecret('passphrase', options.passphrase, options.passphraseStdin);
  const backup = await readBackup(file);
  makeDataFolder(config.dataFolder);
  const unlock = lockFolder(config.dataFolder);
  let paused = 0;
  try {
    finishRestore(config.dataFolder);
    const location = locationOf(config);
    if (!options.force && !(await holdsNothing(location)))
      throw new StartError(
        `${'url' in location ? 'The database' : join(config.dataFolder)} is not empty. Restore to an empty location, or overwrite it with --force.`,
      );
    const given = await openKeyOf(backup.header, passphrase);
    if (given && config.encryptionKey !== undefined)
      throw new StartError(
        'The settings contain an encryption key. Remove SIGNALBOX_ENCRYPTION_KEY, or restore without the passphrase.',
      );
    const how = { given, keepSchedules: options.keepSchedules ?? false };
    paused =
      'url' in location
        ? await restoreServer(config, location.url, backup, how)
        : await restoreFiles(config, backup, how);
  } finally {
    unlock();
  }
  print(`Restored the backup of ${backup.header.made}, made by version ${backup.header.version}.`);
  print(
    `Users have to sign in again.${backup.header.with_tokens ? '' : ' API tokens are not restored: create new ones.'}${paused === 0 ? '' : ` Schedules that were active are paused (${paused}): resume them in their projects.`}`,
  );
};
