import type { KeyType } from '@signalbox/contract';
import { z } from 'zod';
import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

/** The encrypted part of a key. The login is encrypted too, because only members who may change keys see it. */
const Ssh = z.object({ login: z.string(), private_key: z.string(), passphrase: z.string() });
const LoginPassword = z.object({ login: z.string(), password: z.string() });

export type DecryptedKey =
  | { readonly type: 'none' }
  | ({ readonly type: 'ssh' } & z.infer<typeof Ssh>)
  | ({ readonly type: 'login_password' } & z.infer<typeof LoginPassword>);

const context = (id: number) => `access_key:${id}` as const;

export const encryptKeySecret = (master: MasterKey, id: number, key: DecryptedKey): string => {
  if (key.type === 'none') return '';
  const { type: _type, ...secret } = key;
  return encrypt(master, context(id), JSON.stringify(secret));
};

export const decryptKeySecret = (
  master: MasterKey,
  row: { readonly id: number; readonly type: KeyType; readonly secret: string },
): DecryptedKey => {
  if (row.type === 'none') return { type: 'none' };
  const secret: unknown = JSON.parse(decrypt(master, context(row.id), row.secret));
  return row.type === 'ssh'
    ? { type: 'ssh', ...Ssh.parse(secret) }
    : { type: 'login_password', ...LoginPassword.parse(secret) };
};
