import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { lockFolder } from '../database/folder-lock.ts';
import {
  asRing,
  KEY_FILE,
  type MasterKey,
  newSealingKey,
  readKeyFile,
  readKeySetting,
  writeKeyFile,
} from '../secrets/master-key.ts';
import { openSealKeys } from '../secrets/seal-keys.store.ts';
import { checkVault, resealVault, type VaultReport } from '../secrets/vault.ts';
import { StartError } from '../start-error.ts';
import { Progress } from './progress.ts';
import { say, sayJson } from './terminal.ts';
import { withState } from './with-state.ts';

const NO_KEY = 'There is no encryption key: neither SIGNALBOX_ENCRYPTION_KEY nor a file of keys in the data folder.';

const settingOf = (config: Config): MasterKey | undefined =>
  readKeySetting(config.encryptionKey, config.otherEncryptionKeys);

const secrets = (count: number): string => `${count} ${count === 1 ? 'secret' : 'secrets'}`;

const describe = ({ opened, broken }: VaultReport, master: MasterKey): void => {
  say(`Key ${master.id}, which is in use, opens ${secrets(opened[master.id] ?? 0)}.`);
  for (const { id } of master.others)
    say(`Key ${id}, which seals nothing any more, opens ${secrets(opened[id] ?? 0)}.`);
  for (const { place, key } of broken)
    say(`${place} does not open${key === null ? '' : `: it was sealed with key ${key}`}.`);
};

export const check = ({ json }: { readonly json?: boolean }): Promise<void> =>
  withState(async (database, config) => {
    const master = settingOf(config) ?? readKeyFile(config.dataFolder);
    if (!master) throw new StartError(NO_KEY);
    const report = await checkVault(database.read, master);
    if (json) sayJson({ key: master.id, others: master.others.map(({ id }) => id), ...report });
    else describe(report, master);
    if (report.broken.length > 0) process.exitCode = 1;
  });

const mustOpenAll = async (database: Database, master: MasterKey): Promise<number> => {
  // Nobody can give this one anew: it is mended where only it still waits for a key of before.
  await openSealKeys(database, master);
  const { opened, broken } = await checkVault(database.read, master);
  const [first] = broken;
  if (first)
    throw new StartError(
      `${secrets(broken.length)} cannot be opened, ${first.place} first, so nothing was changed: see signalbox vault check.`,
    );
  return Object.values(opened).reduce((sum, count) => sum + count, 0);
};

const reseal = async (database: Database, master: MasterKey): Promise<number> => {
  const progress = new Progress('Sealing secrets anew', await mustOpenAll(database, master));
  try {
    // Until a whole round finds nothing: a server beside us may have sealed with the key before.
    let count = 0;
    for (;;) {
      const more = await resealVault(database, master, (done) => progress.add(done));
      if (more === 0) return count;
      count += more;
    }
  } finally {
    progress.end();
  }
};

/** The settings name the keys: the first seals, the others open. Servers that have both may run. */
const rekeyBySettings = async (database: Database, master: MasterKey): Promise<void> => {
  const count = await reseal(database, master);
  say(`Sealed ${secrets(count)} with key ${master.id}.`);
  if (master.others.length > 0)
    say('SIGNALBOX_OTHER_ENCRYPTION_KEYS may be taken out of the settings of every server.');
};

/** The file names the keys: it has both from before the first secret is sealed anew until after the last. */
const rekeyByFile = async (database: Database, { dataFolder }: Config): Promise<void> => {
  const old = readKeyFile(dataFolder);
  if (!old) throw new StartError(NO_KEY);
  await mustOpenAll(database, old);
  // Two keys in the file are left of a run that did not come to its end: it is taken up again.
  const master = old.others.length > 0 ? old : asRing([newSealingKey(), old]);
  for (const key of master.others) writeKeyFile(dataFolder, [key], `${KEY_FILE}.old-${key.id}`);
  writeKeyFile(dataFolder, [master, ...master.others]);
  const count = await reseal(database, master);
  await mustOpenAll(database, asRing([master]));
  writeKeyFile(dataFolder, [master]);
  say(`Sealed ${secrets(count)} with key ${master.id}, which is now in ${KEY_FILE}.`);
  for (const { id } of master.others)
    say(
      `The key before is kept in ${KEY_FILE}.old-${id}: backups made with it need it. Delete it when there are none.`,
    );
};

export const rekey = ({ besideServers }: { readonly besideServers?: boolean }): Promise<void> =>
  withState(async (database, config) => {
    const master = settingOf(config);
    if (besideServers) {
      if (!master)
        throw new StartError(
          '--beside-servers needs the keys in the settings: servers read a file of keys only when they start.',
        );
      return await rekeyBySettings(database, master);
    }
    const unlock = lockFolder(config.dataFolder);
    try {
      if ((await database.othersConnected()) > 0)
        throw new StartError(
          'A server is connected to the database: stop every server first, or see --beside-servers.',
        );
      await (master ? rekeyBySettings(database, master) : rekeyByFile(database, config));
    } finally {
      unlock();
    }
  });
