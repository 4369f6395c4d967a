import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { decrypt, encrypt } from './cipher.ts';
import { decryptKeySecret, encryptKeySecret } from './key-secret.ts';
import { decryptLeaseSecret, encryptLeaseSecret, leaseKey, makeLeaseSecret } from './lease-secret.ts';
import { loadMasterKey, type MasterKey } from './master-key.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { hashToken, newPassword, newToken } from './token.ts';

const SETTING = Buffer.alloc(32, 7).toString('base64');

let folder: string;
let key: MasterKey;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  key = loadMasterKey(SETTING, folder);
});

describe('[S4] an encrypted secret', () => {
  it('can be decrypted, and is encrypted differently each time', () => {
    const secret = 'päßwörd\n\u{1f511}\0';
    const [one, two] = [encrypt(key, 'access_key:1', secret), encrypt(key, 'access_key:1', secret)];
    expect(one).not.toBe(two);
    expect(decrypt(key, 'access_key:1', one)).toBe(secret);
    expect(one).toMatch(new RegExp(`^v1:${key.id}:[A-Za-z0-9+/=]+$`));
  });

  it('can be decrypted in its own context only', () => {
    const stored = encrypt(key, 'access_key:1', 'secret');
    for (const context of ['access_key:2', 'access_key:11', 'environment_secret:1', 'second_factor:1'] as const) {
      expect(() => decrypt(key, context, stored)).toThrow();
    }
    const encrypted = encryptKeySecret(key, 1, { type: 'login_password', login: 'me', password: 'secret' });
    expect(decryptKeySecret(key, { id: 1, type: 'login_password', secret: encrypted })).toMatchObject({
      password: 'secret',
    });
    expect(() => decryptKeySecret(key, { id: 2, type: 'login_password', secret: encrypted })).toThrow();
  });

  it('can be decrypted with its own key only, and names that key', () => {
    const other = loadMasterKey(Buffer.alloc(32, 8).toString('base64'), folder);
    const stored = encrypt(other, 'access_key:1', 'secret');
    expect(() => decrypt(key, 'access_key:1', stored)).toThrow(
      `encrypted with key ${other.id}, but the key in use is ${key.id}`,
    );
  });

  it('cannot be decrypted when a single bit is changed', () => {
    const stored = encrypt(key, 'access_key:1', 'secret');
    const [version, id, body = ''] = stored.split(':');
    const bytes = Buffer.from(body, 'base64');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => decrypt(key, 'access_key:1', `${version}:${id}:${changed.toString('base64')}`)).toThrow();
    }
    for (const nonsense of ['', 'v1', `v2:${id}:${body}`, `v1:${id}:`, `v1:${id}:AAAA`]) {
      expect(() => decrypt(key, 'access_key:1', nonsense)).toThrow();
    }
  });
});

describe('[S4] the encryption key', () => {
  it('is created once, readable by the user of the server only, and found again', () => {
    const made = loadMasterKey(undefined, folder);
    expect(statSync(join(folder, 'encryption.key')).mode & 0o777).toBe(0o600);
    expect(loadMasterKey(undefined, folder)).toEqual(made);
    expect(readFileSync(join(folder, 'encryption.key'), 'utf8').trim()).toBe(made.bytes.toString('base64'));
  });

  it('is read from the settings if it is set there, and no file is created', () => {
    expect(key.bytes).toEqual(Buffer.alloc(32, 7));
    expect(() => statSync(join(folder, 'encryption.key'))).toThrow('ENOENT');
  });

  it('is never replaced when it cannot be read', () => {
    writeFileSync(join(folder, 'encryption.key'), 'broken\n');
    expect(() => loadMasterKey(undefined, folder)).toThrow(/encryption\.key must be 32 bytes in base64/);
    expect(() => loadMasterKey('c2hvcnQ=', folder)).toThrow(/^SIGNALBOX_ENCRYPTION_KEY must be 32 bytes/);
    expect(readFileSync(join(folder, 'encryption.key'), 'utf8')).toBe('broken\n');
  });
});

describe('[S10] the key of a run', () => {
  it('is the same each time, and different for every other lease', () => {
    const secret = makeLeaseSecret(key);
    const other = makeLeaseSecret(loadMasterKey(Buffer.alloc(32, 8).toString('base64'), folder));
    const keys = [leaseKey(secret, 1, 2), leaseKey(secret, 1, 3), leaseKey(secret, 12, 2), leaseKey(other, 1, 2)];
    expect(new Set([...keys, secret.toString('base64'), SETTING]).size).toBe(6);
    expect(Buffer.from(keys[0] ?? '', 'base64')).toHaveLength(32);
    expect(leaseKey(decryptLeaseSecret(key, encryptLeaseSecret(key, secret)), 1, 2)).toBe(keys[0]);
  });
});

describe('a password', () => {
  it('is stored as a PHC string with its own salt, and only the same password matches', async () => {
    const [one, two] = [await hashPassword('right horse'), await hashPassword('right horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword('right horse', one)).toBe(true);
    expect(await verifyPassword('right horse', two)).toBe(true);
    for (const wrong of ['', 'right hors', 'Right horse', 'right horse ', 'right horse\0']) {
      expect(await verifyPassword(wrong, one)).toBe(false);
    }
  });

  it('does not match a text that is not a hash', async () => {
    const hash = await hashPassword('x');
    for (const stored of ['', 'x', hash.slice(0, -1), hash.replace('argon2id', 'argon2i'), `${hash}!`]) {
      expect(await verifyPassword('x', stored)).toBe(false);
    }
  });

  it('contains only unambiguous characters if it is generated', () => {
    const passwords = Array.from({ length: 500 }, () => newPassword());
    expect(new Set(passwords).size).toBe(500);
    for (const password of passwords) expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{20}$/);
    // 10,000 draws of 56 letters miss a letter practically never.
    expect(new Set(passwords.join('')).size).toBe(56);
  });
});

describe('a token', () => {
  it('has 256 random bits, and only its hash is stored', () => {
    const token = newToken();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(newToken()).not.toBe(token);
    expect(hashToken(token)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashToken(token)).toBe(hashToken(token));
  });
});
