import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { LogStoreError } from './object-store.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key of one object. Objects are written once, so the offset of a block is a nonce that is never used twice. */
const keyOf = (secret: Buffer, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `signalbox log object ${name}`, KEY_BYTES));

const nonceOf = (offset: number): Buffer => {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(offset, NONCE_BYTES - 6, 6);
  return nonce;
};

/** Encrypts a block for its position in an object, with AES-256-GCM. */
export const encryptBlock = (secret: Buffer, name: string, offset: number, plain: Uint8Array): Buffer => {
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, name), nonceOf(offset));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

/** @throws LogStoreError `changed` unless these are the bytes that were written at this position of this object */
export const decryptBlock = (secret: Buffer, name: string, offset: number, bytes: Buffer): Buffer => {
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, name), nonceOf(offset));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new LogStoreError('changed', `The object ${name} of the log store was changed.`, error);
  }
};
