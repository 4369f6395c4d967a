import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { writeWholeText } from '../files/whole-text.ts';
import { StartError } from '../start-error.ts';

const KEY_BYTES = 32;
/** The first line holds the key that encrypts. Keys on further lines only decrypt. */
export const KEY_FILE = 'encryption.key';

/** 32 bytes, and a short public id that identifies the key. */
export interface EncryptionKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** The key that encrypts all stored secrets. */
export interface MasterKey extends EncryptionKey {
  /** Keys that only decrypt. */
  readonly others: readonly EncryptionKey[];
}

const keyOf = (bytes: Buffer): EncryptionKey => ({
  id: createHash('sha256').update('signalbox key id').update(bytes).digest('hex').slice(0, 8),
  bytes,
});

const parse = (text: string, where: string): EncryptionKey => {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== KEY_BYTES) {
    throw new StartError(`${where} must be 32 bytes in base64; make one with: openssl rand -base64 32`);
  }
  return keyOf(bytes);
};

const isNodeError = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

export const newEncryptionKey = (): EncryptionKey => keyOf(randomBytes(KEY_BYTES));

/** Formats keys for the file, one per line. */
export const keyText = (keys: readonly EncryptionKey[]): string =>
  keys.map(({ bytes }) => `${bytes.toString('base64')}\n`).join('');

/** The first key encrypts, all decrypt. Duplicates are removed. */
export const asRing = ([first, ...more]: readonly [EncryptionKey, ...EncryptionKey[]]): MasterKey => {
  const others = new Map(more.filter(({ id }) => id !== first.id).map((key) => [key.id, key]));
  return { ...first, others: [...others.values()] };
};

/** Replaces the keys in the file of the data folder atomically. */
export const writeKeyFile = (dataFolder: string, keys: readonly EncryptionKey[], name = KEY_FILE): void =>
  writeWholeText(join(dataFolder, name), keyText(keys), renameSync);

/** @throws StartError when a line is not a key */
export const readKeys = (text: string, where: string): MasterKey => {
  const [first = '', ...more] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return asRing([parse(first, where), ...more.map((line) => parse(line, where))]);
};

/** Reads the keys from the data folder; undefined if there is no file. */
export const readKeyFile = (dataFolder: string): MasterKey | undefined => {
  const file = join(dataFolder, KEY_FILE);
  try {
    return readKeys(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (isNodeError(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** Reads the keys from the settings; undefined if none is set. */
export const readKeySetting = (setting: string | undefined, others: readonly string[]): MasterKey | undefined =>
  setting === undefined
    ? undefined
    : asRing([
        parse(setting, 'SIGNALBOX_ENCRYPTION_KEY'),
        ...others.map((other) => parse(other, 'SIGNALBOX_OTHER_ENCRYPTION_KEYS')),
      ]);

/**
 * Loads the keys from the settings, else from the file in the data folder (mode 0600), which is created at the first
 * start.
 * @throws when the setting or the file contains no valid key, because no secret could be decrypted
 */
export const loadMasterKey = (
  setting: string | undefined,
  dataFolder: string,
  others: readonly string[] = [],
): MasterKey => {
  const known = readKeySetting(setting, others) ?? readKeyFile(dataFolder);
  if (known) return known;
  const key = newEncryptionKey();
  // A hard link never replaces an existing file.
  writeWholeText(join(dataFolder, KEY_FILE), keyText([key]), linkSync);
  return asRing([key]);
};
