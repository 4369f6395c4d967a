import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { lockFolder } from '../../database/folder-lock.ts';
import {
  asRing,
  KEY_FILE,
  type MasterKey,
  newEncryptionKey,
  readKeyFile,
  readKeySetting,
  writeKeyFile,
} from '../../secrets/master-key.ts';
import { openDerivedSecret } from '../../secrets/run-keys.store.ts';
import { serversNotUsing } from '../../secrets/server-keys.ts';
import { checkVault, reencryptVault, type VaultReport } from '../../secrets/vault.ts';
import { StartError } from '../../start-error.ts';
import { Progress } from '../progress.ts';
import { print, printJson } from '../terminal.ts';
import { withState } from '../with-state.ts';

const NO_KEY =
  'There is no encryption key, neither in SIGNALBOX_ENCRYPTION_KEY nor in the file encryption.key of the data folder: set SIGNALBOX_ENCRYPTION_KEY or SIGNALBOX_DATA to the value that the server uses.';

const settingOf = (config: Config): MasterKey | undefined =>
  readKeySetting(config.encryptionKey, config.otherEncryptionKeys);

const secrets = (count: number): string => `${count} ${count === 1 ? 'secret' : 'secrets'}`;

const describe = ({ opened, broken }: VaultReport, master: MasterKey): void => {
  print(`Key ${master.id}, which is in use, decrypts ${secrets(opened[master.id] ?? 0)}.`);
  for (const { id } of master.others)
    print(`Key ${id}, which is not in use for encryption, decrypts ${secrets(opened[id] ?? 0)}.`);
  for (const { context: location, key } of broken)
    print(`${location} cannot be decrypted${key === null ? '' : `: it was encrypted with key ${key}`}.`);
};

/** The report as JSON. Scripts read it, so the names of its properties do not change. */
const reportJson = ({ opened, broken }: VaultReport, master: MasterKey): object => ({
  key: master.id,
  others: master.others.map(({ id }) => id),
  opened,
  broken: broken.map(({ context, key }) => ({ place: context, key })),
});

export const check = ({ json }: { readonly json?: boolean }): Promise<void> =>
  withState(async (database, config) => {
    const master = settingOf(config) ?? readKeyFile(config.dataFolder);
    if (!master) throw new StartError(NO_KEY);
    const report = await checkVault(database.read, master);
    if (json) printJson(reportJson(report, master));
    else describe(report, master);
    if (report.broken.length > 0) process.exitCode = 1;
  });

const total = ({ opened }: VaultReport): number => Object.values(opened).reduce((sum, count) => sum + count, 0);

/**
 * Decrypts every secret.
 * @param consequence the rest of the message when a secret does not decrypt
 * @throws StartError naming one secret that does not decrypt
 */
const decryptAll = async (database: Database, master: MasterKey, consequence: string): Promise<VaultReport> => {
  const report = await checkVault(database.read, master);
  const [first] = report.broken;
  if (!first) return report;
  const count = report.broken.length;
  throw new StartError(
    `${secrets(count)} cannot be decrypted, ${count === 1 ? '' : 'for example '}${first.context}${first.key === null ? '' : ` (encrypted with key ${first.key})`}. ${consequence}`,
  );
};

const mustDecryptAll = async (database: Database, master: MasterKey, consequence: string): Promise<VaultReport> => {
  // Users cannot enter the lease secret again. If nothing else needs the missing key, this replaces it.
  await openDerivedSecret(database, master);
  return await decryptAll(database, master, `Nothing was changed. ${consequence}`);
};

/**
 * Re-encrypts until a round finds nothing, because a server may still encrypt with the old key.
 * @param most the maximum of the progress bar
 */
const reencrypt = async (database: Database, master: MasterKey, most: number): Promise<number> => {
  const progress = new Progress('Encrypting secrets', most);
  try {
    let count = 0;
    for (;;) {
      const more = await reencryptVault(database, master, (done) => progress.add(done));
      if (more === 0) return count;
      count += more;
    }
  } finally {
    progress.end();
  }
};

const AGAIN = 'Run signalbox vault rekey again; both keys are still needed.';

/**
 * @param consequence the end of the message
 * @throws StartError naming the running servers that encrypt with another key
 */
const refuseOtherServers = async (database: Database, { id }: MasterKey, consequence: string): Promise<void> => {
  const lacking = await serversNotUsing(database.autocommit, id);
  if (lacking.length === 0) return;
  const advice = lacking.map(({ server, keys }) =>
    keys.includes(id)
      ? `Server ${server} has key ${id}, but still encrypts with key ${keys[0]}: set its SIGNALBOX_ENCRYPTION_KEY to the new key and its SIGNALBOX_OTHER_ENCRYPTION_KEYS to the old one, then restart it.`
      : `Server ${server} lacks key ${id}: set its SIGNALBOX_OTHER_ENCRYPTION_KEYS to the new key and its SIGNALBOX_ENCRYPTION_KEY to the old one, then restart it.`,
  );
  throw new StartError(`${advice.join('\n')}\n${consequence}`);
};

/**
 * The settings name the keys: the first encrypts, the others only decrypt.
 * @param checkServers throws when a running server encrypts with another key
 */
const rekeyBySettings = async (
  database: Database,
  master: MasterKey,
  checkServers: (consequence: string) => Promise<void>,
): Promise<void> => {
  await checkServers('Nothing was changed.');
  const report = await mustDecryptAll(
    database,
    master,
    'Add the missing key to SIGNALBOX_OTHER_ENCRYPTION_KEYS; signalbox vault check lists the secrets.',
  );
  const count = await reencrypt(database, master, total(report));
  await checkServers(AGAIN);
  await decryptAll(database, asRing([master]), AGAIN);
  if (count === 0) print(`Key ${master.id} already encrypts all ${secrets(total(report))}.`);
  else print(`Encrypted ${secrets(count)} with key ${master.id}.`);
  if (master.others.length > 0)
    print(
      'Remove SIGNALBOX_OTHER_ENCRYPTION_KEYS from the settings of every server. Keep the old keys for backups that were made with them.',
    );
  else if (count === 0)
    print(
      'To change it, set SIGNALBOX_ENCRYPTION_KEY to a new key and SIGNALBOX_OTHER_ENCRYPTION_KEYS to this one, then run the command again.',
    );
};

/** The file contains the keys. It contains both until every secret is encrypted with the new one. */
const rekeyByFile = async (database: Database, { dataFolder }: Config): Promise<void> => {
  const old = readKeyFile(dataFolder);
  if (!old) throw new StartError(NO_KEY);
  const report = await mustDecryptAll(
    database,
    old,
    `Add the missing key as a line to ${KEY_FILE}; signalbox vault check lists the secrets.`,
  );
  // Secrets that only another key than the first opens are left from an interrupted run, which this run continues.
  const isInterrupted = old.others.length > 0 && report.opened[old.id] !== total(report);
  const master = isInterrupted ? old : asRing([newEncryptionKey(), old, ...old.others]);
  for (const key of master.others) writeKeyFile(dataFolder, [key], `${KEY_FILE}.old-${key.id}`);
  writeKeyFile(dataFolder, [master, ...master.others]);
  const count = await reencrypt(database, master, total(report));
  await decryptAll(database, asRing([master]), AGAIN);
  writeKeyFile(dataFolder, [master]);
  print(`Encrypted ${secrets(count)} with key ${master.id}, which is now in ${KEY_FILE}.`);
  if (database.capabilities.isShared)
    print(`Copy ${KEY_FILE} to the data folder of every other server on this database before you start that server.`);
  for (const { id } of master.others)
    print(
      `Backups that were made with key ${id} still need it: it is kept in ${KEY_FILE}.old-${id}. Delete this file when there are no such backups.`,
    );
};

const rekeyNextToServers = async (database: Database, master: MasterKey | undefined): Promise<void> => {
  if (!master)
    throw new StartError(
      'With --beside-servers the keys must be in the settings, because servers read encryption.key only when they start. Set SIGNALBOX_ENCRYPTION_KEY, or stop every server and leave out --beside-servers.',
    );
  await rekeyBySettings(database, master, (consequence) => refuseOtherServers(database, master, consequence));
};

/** End of an error message: what to do about a running server. */
const stopFirst = (master: MasterKey | undefined): string =>
  `stop every server first${master ? ', or use --beside-servers if every server has the new key in its settings' : ''}. Nothing was changed.`;

export const rekey = ({ besideServers: nextToServers }: { readonly besideServers?: boolean }): Promise<void> =>
  withState(async (database, config) => {
    const master = settingOf(config);
    if (nextToServers) return await rekeyNextToServers(database, master);
    // With PostgreSQL on another machine, this one may have no data folder.
    const unlock = existsSync(config.dataFolder) ? lockFolder(config.dataFolder, stopFirst(master)) : () => undefined;
    try {
      if ((await database.othersConnected()) > 0)
        throw new StartError(`A server or another command is connected to the database: ${stopFirst(master)}`);
      await (master ? rekeyBySettings(database, master, () => Promise.resolve()) : rekeyByFile(database, config));
    } finally {
      unlock();
    }
  });
