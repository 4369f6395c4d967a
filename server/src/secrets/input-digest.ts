import { createHmac, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;
const LENGTH = 22;

/**
 * Returns a text that is the same for equal content of a project, and from which the content cannot be guessed without the
 * key: inventories and environments contain passwords.
 */
export type InputDigest = (projectId: number, content: unknown) => string;

/** @param secret the secret from which every server on the database derives keys */
export const inputDigestOf = (secret: Buffer): InputDigest => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'signalbox input digests', KEY_BYTES));
  return (projectId, content) =>
    createHmac('sha256', key)
      .update(JSON.stringify([projectId, content]))
      .digest('base64url')
      .slice(0, LENGTH);
};
