import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import { writeWholeText } from '../whole-text.ts';

const KEY_BYTES = 32;
/** Holds the key that seals on its first line; keys on further lines open what was sealed before. */
export const KEY_FILE = 'encryption.key';

/** 32 bytes, and a short public id that tells keys apart. */
export interface SealingKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** The key that all stored secrets are encrypted with. */
export interface MasterKey extends SealingKey {
  /** Keys that open what they sealed, and seal nothing any more. */
  readonly others: readonly SealingKey[];
}

const keyOf = (bytes: Buffer): SealingKey => ({
  id: createHash('sha256').update('signalbox key id').update(bytes).digest('hex').slice(0, 8),
  bytes,
});

const parse = (text: string, where: string): SealingKey => {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== KEY_BYTES) {
    throw new StartError(`${where} must be 32 bytes in base64; make one with: openssl rand -base64 32`);
  }
  return keyOf(bytes);
};

const isNodeError = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

export const newSealingKey = (): SealingKey => keyOf(randomBytes(KEY_BYTES));

/** Keys as they stand in the file, one a line. */
export const keyText = (keys: readonly SealingKey[]): string =>
  keys.map(({ bytes }) => `${bytes.toString('base64')}\n`).join('');

/** The first seals, all open; the same key twice counts once. */
export const asRing = ([first, ...more]: readonly [SealingKey, ...SealingKey[]]): MasterKey => {
  const others = new Map(more.filter(({ id }) => id !== first.id).map((key) => [key.id, key]));
  return { ...first, others: [...others.values()] };
};

/** Puts these keys into the file of the data folder in one step. */
export const writeKeyFile = (dataFolder: string, keys: readonly SealingKey[], name = KEY_FILE): void =>
  writeWholeText(join(dataFolder, name), keyText(keys), renameSync);

/** @throws StartError when a line is no key */
export const readKeys = (text: string, where: string): MasterKey => {
  const [first = '', ...more] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return asRing([parse(first, where), ...more.map((line) => parse(line, where))]);
};

/** The keys of the file in the data folder; undefined while there is none. */
export const readKeyFile = (dataFolder: string): MasterKey | undefined => {
  const file = join(dataFolder, KEY_FILE);
  try {
    return readKeys(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (isNodeError(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** The keys of the settings; undefined where none is set. */
export const readKeySetting = (setting: string | undefined, others: readonly string[]): MasterKey | undefined =>
  setting === undefined
    ? undefined
    : asRing([
        parse(setting, 'SIGNALBOX_ENCRYPTION_KEY'),
        ...others.map((other) => parse(other, 'SIGNALBOX_OTHER_ENCRYPTION_KEYS')),
      ]);

/**
 * The keys of the settings, else of the 0600 file in the data folder, which is made at the first start.
 * @throws when the setting or the file holds no key: without it nothing stored could be read.
 */
export const loadMasterKey = (
  setting: string | undefined,
  dataFolder: string,
  others: readonly string[] = [],
): MasterKey => {
  const known = readKeySetting(setting, others) ?? readKeyFile(dataFolder);
  if (known) return known;
  const key = newSealingKey();
  // A link never takes the place of a file that is there.
  writeWholeText(join(dataFolder, KEY_FILE), keyText([key]), linkSync);
  return asRing([key]);
};
