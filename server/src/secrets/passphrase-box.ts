import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { z } from 'zod';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SALT_BYTES = 16;
/** Needs 64 MiB and about a quarter of a second per guess. */
const COST = { N: 2 ** 16, r: 8, p: 1 } as const;

/** A text encrypted with a passphrase, as stored in a file. */
export const PassphraseBox = z.object({
  kdf: z.literal('scrypt'),
  // A file must not request more memory than this version uses.
  n: z.int().min(2).max(COST.N),
  r: z.int().min(1).max(COST.r),
  p: z.int().min(1).max(4),
  salt: z.string(),
  cipher: z.literal('aes-256-gcm'),
  data: z.string(),
});
export type PassphraseBox = z.infer<typeof PassphraseBox>;

const derive = (passphrase: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> => {
  const options: ScryptOptions = { ...cost, maxmem: 256 * 1024 * 1024 };
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(passphrase.normalize('NFC'), salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  return promise;
};

/** @param purpose kind of the text; a box with another purpose cannot be opened */
export const encryptInBox = async (passphrase: string, purpose: string, plain: string): Promise<PassphraseBox> => {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', await derive(passphrase, salt, COST), nonce);
  cipher.setAAD(Buffer.from(purpose));
  const data = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return {
    kdf: 'scrypt',
    n: COST.N,
    r: COST.r,
    p: COST.p,
    salt: salt.toString('base64'),
    cipher: 'aes-256-gcm',
    data: data.toString('base64'),
  };
};

/** @returns undefined for a wrong passphrase or a changed box */
export const decryptBox = async (
  passphrase: string,
  purpose: string,
  box: PassphraseBox,
): Promise<string | undefined> => {
  const salt = Buffer.from(box.salt, 'base64');
  const key = await derive(passphrase, salt, { N: box.n, r: box.r, p: box.p });
  const bytes = Buffer.from(box.data, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([plain, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
};
