import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-key.ts';
import type { SecretPlace } from './sealed-places.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** Encrypts to `v1:<key id>:<base64 of nonce, ciphertext and tag>` with AES-256-GCM and a fresh nonce. */
export const encrypt = (key: MasterKey, place: SecretPlace, plain: string): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce);
  cipher.setAAD(Buffer.from(place));
  const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}:${key.id}:${body.toString('base64')}`;
};

/** Id of the key that sealed this text; undefined for a text of another form. */
export const keyIdOf = (stored: string): string | undefined => /^v1:([^:]+):/.exec(stored)?.[1];

/** @throws when the text was made with a key that is not at hand or for another place, or was changed. */
export const decrypt = (key: MasterKey, place: SecretPlace, stored: string): string => {
  const [version, keyId, body] = stored.split(':');
  if (version !== VERSION || body === undefined) throw new Error(`The secret of ${place} has an unknown form.`);
  const used = [key, ...key.others].find(({ id }) => id === keyId);
  if (!used)
    throw new Error(`The secret of ${place} was encrypted with key ${keyId}, but the key in use is ${key.id}.`);
  const bytes = Buffer.from(body, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', used.bytes, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
};
