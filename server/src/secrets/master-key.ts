import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';

const KEY_BYTES = 32;
const KEY_FILE = 'encryption.key';

/** The key that all stored secrets are encrypted with, and a short public id that tells keys apart. */
export interface MasterKey {
  readonly id: string;
  readonly bytes: Buffer;
}

const idOf = (bytes: Buffer): string =>
  createHash('sha256').update('signalbox key id').update(bytes).digest('hex').slice(0, 8);

const parse = (text: string, where: string): MasterKey => {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== KEY_BYTES) {
    throw new StartError(`${where} must be 32 bytes in base64; make one with: openssl rand -base64 32`);
  }
  return { id: idOf(bytes), bytes };
};

const isNodeError = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * The key of the setting, else of the 0600 file in the data folder, which is made at the first start.
 * @throws when the setting or the file holds no key: without it nothing stored could be read.
 */
export const loadMasterKey = (setting: string | undefined, dataFolder: string): MasterKey => {
  if (setting !== undefined) return parse(setting, 'SIGNALBOX_ENCRYPTION_KEY');
  const file = join(dataFolder, KEY_FILE);
  try {
    return parse(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (!isNodeError(error, 'ENOENT')) throw error;
  }
  const bytes = randomBytes(KEY_BYTES);
  const descriptor = openSync(file, 'wx', 0o600);
  writeSync(descriptor, `${bytes.toString('base64')}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  return { id: idOf(bytes), bytes };
};
