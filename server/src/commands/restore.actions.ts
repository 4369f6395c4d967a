import { join } from 'node:path';
import { type BackupHeader, type BackupReader, KEY_PURPOSE, readBackup } from '../backup/backup-file.ts';
import { isLeftOut, schedulePauser } from '../backup/left-out.ts';
import { commitRestore, dropRestoreFolder, finishRestore, makeRestoreFolder } from '../backup/restored-folder.ts';
import { type Config, readConfig } from '../config.ts';
import { makeDataFolder } from '../data-folder.ts';
import { lockFolder } from '../database/folder-lock.ts';
import type { Cell, SnapshotWriter } from '../database/snapshot.ts';
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
  let sealed = -1;
  let paused = 0;
  let pause: ((row: Cell[]) => boolean) | undefined;
  try {
    for await (const { table, row } of rows()) {
      if (isLeftOut(table, header.with_tokens)) continue;
      if (!row) {
        sealed = sealedColumn(table.name, table.columns);
        pause = table.name === 'schedule' && !keepSchedules ? schedulePauser(table) : undefined;
        await writer.begin(table);
        continue;
      }
      const id = sealed < 0 ? undefined : keyIdOf(String(row[sealed]));
      if (id !== undefined && !known.has(id))
        throw new StartError(
          `The secrets in this backup were sealed with key ${id}, which is not here: set SIGNALBOX_ENCRYPTION_KEY to it, or put its file encryption.key into the data folder${header.key === null ? '' : ', or give the passphrase'}. Nothing was changed.`,
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
  readonly brought: MasterKey | undefined;
  readonly keepSchedules: boolean;
}

const restoreFiles = async (
  config: Config,
  backup: BackupReader,
  { brought, keepSchedules }: RestoreOptions,
): Promise<number> => {
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
    const paused = await fillPlace({ folder, replaces: config.dataFolder }, facts, (writer) =>
      copyRows(backup, writer, { keys: usable, keepSchedules }),
    );
    commitRestore(config.dataFolder);
    return paused;
  } finally {
    dropRestoreFolder(config.dataFolder);
    forget();
  }
};

const restoreServer = async (
  config: Config,
  url: string,
  backup: BackupReader,
  { brought, keepSchedules }: RestoreOptions,
): Promise<number> => {
  const { header } = backup;
  const keys = ring(brought, readKeyFile(config.dataFolder));
  // First: killed in between, there is one key more that opens, and nothing that it is needed for.
  if (brought && keys) writeKeyFile(config.dataFolder, [keys, ...keys.others]);
  const usable = ring(readKeySetting(config.encryptionKey, config.otherEncryptionKeys)) ?? keys;
  const facts = { steps: header.steps, nextIds: header.next_ids };
  return await fillPlace({ url }, facts, (writer) => copyRows(backup, writer, { keys: usable, keepSchedules }));
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
        `There is something stored in ${'url' in location ? 'the database' : join(config.dataFolder)} already: restore to an empty place, or replace it with --force.`,
      );
    const brought = await openKeyOf(backup.header, passphrase);
    if (brought && config.encryptionKey !== undefined)
      throw new StartError(
        'The settings name an encryption key: take SIGNALBOX_ENCRYPTION_KEY out of them, or restore without the passphrase.',
      );
    const how = { brought, keepSchedules: options.keepSchedules ?? false };
    paused =
      'url' in location
        ? await restoreServer(config, location.url, backup, how)
        : await restoreFiles(config, backup, how);
  } finally {
    unlock();
  }
  say(`The backup of ${backup.header.made}, made by version ${backup.header.version}, is restored.`);
  say(
    `Users have to sign in again.${backup.header.with_tokens ? '' : ' API tokens are not restored: create new ones.'}${paused === 0 ? '' : ` Schedules that were active are paused (${paused}): resume them in their projects.`}`,
  );
};
