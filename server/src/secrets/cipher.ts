import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-key.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** The place a secret belongs to, such as `access_key:12`. A ciphertext moved to another place does not decrypt. */
export type SecretPlace = `${string}:${number}`;

/** Encrypts to `v1:<key id>:<base64 of nonce, ciphertext and tag>` with AES-256-GCM and a fresh nonce. */
export const encrypt = (key: MasterKey, place: SecretPlace, plain: string): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce);
  cipher.setAAD(Buffer.from(place));
  const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}:${key.id}:${body.toString('base64')}`;
};

/** @throws when the text was made with another key or for another place, or was changed. */
export const decrypt = (key: MasterKey, place: SecretPlace, stored: string): string => {
  const [version, keyId, body] = stored.split(':');
  if (version !== VERSION || body === undefined) throw new Error(`The secret of ${place} has an unknown form.`);
  if (keyId !== key.id)
    throw new Error(`The secret of ${place} was encrypted with key ${keyId}, but the key in use is ${key.id}.`);
  const bytes = Buffer.from(body, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
};
