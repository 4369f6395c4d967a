import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What encrypted names begin with. Ansible lists one host a line, so no other name contains a line break. */
const PREFIX = '\nv1:';

/** What readers see in place of a host name that contains a secret. */
export const MASKED_HOST = '****';

const derive = (secret: Buffer, what: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `signalbox host names ${what}`, KEY_BYTES));

/** Whether a stored name is encrypted, so that readers must not see it. */
export const isEncryptedHost = (stored: string): boolean => stored.startsWith(PREFIX);

/**
 * Encrypts the names of hosts that contain secrets. The same name of a project gives the same text: the nonce is a keyed
 * hash of the name. A claim compares decrypted names, because a name can contain a secret of one task only.
 */
export class HostNames {
  readonly #key: Buffer;
  readonly #nonceKey: Buffer;

  /** @param secret the secret from which every server on the database derives keys */
  constructor(secret: Buffer) {
    this.#key = derive(secret, 'encryption');
    this.#nonceKey = derive(secret, 'nonces');
  }

  encrypt(projectId: number, name: string): string {
    const context = `project:${projectId}`;
    const nonce = createHmac('sha256', this.#nonceKey).update(`${context} ${name}`).digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([nonce, cipher.update(name, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${PREFIX}${body.toString('base64')}`;
  }

  /**
   * Returns the name of a stored host.
   * @throws when the name was encrypted with another key or for another project, or was changed
   */
  decrypt(projectId: number, stored: string): string {
    if (!isEncryptedHost(stored)) return stored;
    const bytes = Buffer.from(stored.slice(PREFIX.length), 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(`project:${projectId}`));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  /** Returns the name that a claim compares. A text that cannot be decrypted equals only itself. */
  compared(projectId: number, stored: string): string {
    try {
      return this.decrypt(projectId, stored);
    } catch {
      return stored;
    }
  }

  /** Returns the names of listed hosts as they are stored: those with secrets are encrypted, and the list is sorted. */
  stored(projectId: number, hosts: readonly string[], secret: readonly string[]): string[] {
    const encrypted = new Set(secret);
    return hosts
      .map((host) => (encrypted.has(host) || isEncryptedHost(host) ? this.encrypt(projectId, host) : host))
      .toSorted();
  }
}
