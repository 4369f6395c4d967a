import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretContext } from './encrypted-columns.ts';
import type { MasterKey } from './master-key.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** Encrypts to `v1:<key id>:<base64 of nonce, ciphertext and tag>` with AES-256-GCM and a fresh nonce. */
export const encrypt = (key: MasterKey, context: SecretContext, plain: string): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}:${key.id}:${body.toString('base64')}`;
};

/** Returns the id of the key that encrypted a text; undefined for other texts. */
export const keyIdOf = (stored: string): string | undefined => /^v1:([^:]+):/.exec(stored)?.[1];

/** @throws when the text was encrypted with an unknown key or for another context, or was changed */
export const decrypt = (key: MasterKey, context: SecretContext, stored: string): string => {
  const [version, keyId, body] = stored.split(':');
  if (version !== VERSION || body === undefined) throw new Error(`The secret of ${context} has an unknown format.`);
  const used = [key, ...key.others].find(({ id }) => id === keyId);
  if (!used)
    throw new Error(`The secret of ${context} was encrypted with key ${keyId}, but the key in use is ${key.id}.`);
  const bytes = Buffer.from(body, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', used.bytes, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
};
