import { join } from 'node:path';
import { type BackupHeader, type BackupReader, KEY_PURPOSE, readBackup } from '../backup/backup-file.ts';
import { commitRestore, dropRestoreFolder, finishRestore, makeRestoreFolder } from '../backup/restored-folder.ts';
import { type Config, readConfig } from '../config.ts';
import { makeDataFolder } from '../data-folder.ts';
import { lockFolder } from '../database/folder-lock.ts';
import type { SnapshotWriter } from '../database/snapshot.ts';
import { fillPlace, holdsNothing } from '../database/stored-copy.ts';
import { cleanUpOnSignal } from '../interruption.ts';
import { keyIdOf } from '../secrets/cipher.ts';
import { asRing, type MasterKey, readKeyFile, readKeySetting, readKeys, writeKeyFile } from '../secrets/master-key.ts';
import { openBox } from '../secrets/passphrase-box.ts';
import { SEALED } from '../secrets/sealed-places.ts';
import { StartError } from '../start-error.ts';
import type { PassphraseOptions } from './backup.actions.ts';
import { Progress } from './progress.ts';
import { readSecret, say } from './terminal.ts';
import { locationOf } from './with-state.ts';

const openKeyOf = async (header: BackupHeader, passphrase: string | undefined): Promise<MasterKey | undefined> => {
  if (header.key === null) {
    if (passphrase !== undefined) throw new StartError('There is no key in this backup that a passphrase would open.');
    return undefined;
  }
  if (passphrase === undefined) return undefined;
  const text = await openBox(passphrase, KEY_PURPOSE, header.key);
  if (text === undefined) throw new StartError('The passphrase does not open the key in this backup.');
  return readKeys(text, 'The key in this backup');
};

/** Where each table keeps what is sealed, as the number of the column. */
const sealedColumn = (table: string, columns: readonly string[]): number => {
  const place = Object.values(SEALED).find((sealed) => sealed.table === table);
  return place ? columns.indexOf(place.column) : -1;
};

/** Hands every row over, and refuses what the keys at hand would not open. */
const copyRows = async (
  { header, rows }: BackupReader,
  writer: SnapshotWriter,
  keys: MasterKey | undefined,
): Promise<void> => {
  const known = new Set(keys ? [keys.id, ...keys.others.map(({ id }) => id)] : []);
  const progress = new Progress(
    'Restoring',
    header.tables.reduce((sum, table) => sum + table.rows, 0),
  );
  let sealed = -1;
  try {
    for await (const { table, row } of rows()) {
      if (!row) {
        sealed = sealedColumn(table.name, table.columns);
        await writer.begin(table);
        continue;
      }
      const id = sealed < 0 ? undefined : keyIdOf(String(row[sealed]));
      if (id !== undefined && !known.has(id))
        throw new StartError(
          `The secrets in this backup were sealed with key ${id}, which is not here: set SIGNALBOX_ENCRYPTION_KEY to it, or put its file encryption.key into the data folder${header.key === null ? '' : ', or give the passphrase'}. Nothing was changed.`,
        );
      await writer.add(row);
      progress.add();
    }
  } finally {
    progress.end();
  }
};

const ring = (...keys: readonly (MasterKey | undefined)[]): MasterKey | undefined => {
  const [first, ...more] = keys.flatMap((key) => (key ? [key, ...key.others] : []));
  return first && asRing([first, ...more]);
};

const restoreFiles = async (config: Config, backup: BackupReader, brought: MasterKey | undefined): Promise<void> => {
  const { header } = backup;
  const kept = readKeyFile(config.dataFolder);
  const forget = cleanUpOnSignal(() => dropRestoreFolder(config.dataFolder));
  const folder = makeRestoreFolder(config.dataFolder);
  try {
    // What was there may be needed to open older backups.
    const keys = ring(brought, kept);
    if (brought && keys) writeKeyFile(folder, [keys, ...keys.others]);
    const facts = { steps: header.steps, nextIds: header.next_ids };
    const usable = ring(readKeySetting(config.encryptionKey, config.otherEncryptionKeys)) ?? keys;
    await fillPlace({ folder }, facts, (writer) => copyRows(backup, writer, usable));
    commitRestore(config.dataFolder);
  } finally {
    dropRestoreFolder(config.dataFolder);
    forget();
  }
};

const restoreServer = async (
  config: Config,
  url: string,
  backup: BackupReader,
  brought: MasterKey | undefined,
): Promise<void> => {
  const { header } = backup;
  const keys = ring(brought, readKeyFile(config.dataFolder));
  // First: killed in between, there is one key more that opens, and nothing that it is needed for.
  if (brought && keys) writeKeyFile(config.dataFolder, [keys, ...keys.others]);
  const usable = ring(readKeySetting(config.encryptionKey, config.otherEncryptionKeys)) ?? keys;
  const facts = { steps: header.steps, nextIds: header.next_ids };
  await fillPlace({ url }, facts, (writer) => copyRows(backup, writer, usable));
};

export const restore = async (
  file: string,
  options: PassphraseOptions & { readonly force?: boolean },
): Promise<void> => {
  const config = readConfig();
  const passphrase = await readSecret('passphrase', options.passphrase, options.passphraseStdin);
  const backup = await readBackup(file);
  makeDataFolder(config.dataFolder);
  const unlock = lockFolder(config.dataFolder);
  try {
    finishRestore(config.dataFolder);
    const location = locationOf(config);
    if (!options.force && !(await holdsNothing(location)))
      throw new StartError(
        `There is something stored in ${'url' in location ? 'the database' : join(config.dataFolder)} already: restore to an empty place, or replace it with --force.`,
      );
    const brought = await openKeyOf(backup.header, passphrase);
    if (brought && config.encryptionKey !== undefined)
      throw new StartError(
        'The settings name an encryption key: take SIGNALBOX_ENCRYPTION_KEY out of them, or restore without the passphrase.',
      );
    if ('url' in location) await restoreServer(config, location.url, backup, brought);
    else await restoreFiles(config, backup, brought);
  } finally {
    unlock();
  }
  say(`The backup of ${backup.header.made}, made by version ${backup.header.version}, is restored.`);
};
