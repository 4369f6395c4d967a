import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const hash = promisify(argon2);

/** OWASP's first recommendation for argon2id with one lane: 19 MiB, given in KiB, and two passes. */
const RECOMMENDED = { memory: 19 * 1024, passes: 2 };
const LANES = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const derive = (
  password: string,
  salt: Buffer,
  memory: number,
  passes: number,
  parallelism: number,
  tagLength: number,
) => hash('argon2id', { message: password, nonce: salt, memory, passes, parallelism, tagLength });

/** A PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export const hashPassword = async (password: string, { memory, passes } = RECOMMENDED): Promise<string> => {
  const salt = randomBytes(SALT_BYTES);
  const tag = await derive(password, salt, memory, passes, LANES, TAG_BYTES);
  return `$argon2id$v=19$m=${memory},t=${passes},p=${LANES}$${base64(salt)}$${base64(tag)}`;
};

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Whether the password matches the hash. An invalid hash matches no password. */
export const verifyPassword = async (password: string, stored: string): Promise<boolean> => {
  const parts = PHC.exec(stored);
  if (!parts) return false;
  const [, memory, passes, lanes, salt, tag] = parts as unknown as [string, string, string, string, string, string];
  const expected = Buffer.from(tag, 'base64');
  const found = await derive(password, Buffer.from(salt, 'base64'), +memory, +passes, +lanes, expected.length);
  return timingSafeEqual(found, expected);
};

let unknownUserHash: Promise<string> | undefined;

/** A hash for sign-ins of unknown users, so that they take the same time. */
export const hashOfUnknownUser = (): Promise<string> => {
  unknownUserHash ??= hashPassword(randomBytes(SALT_BYTES).toString('hex'));
  return unknownUserHash;
};
