import { ADMIN_PERMISSIONS, holds, type Key } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { AccessKeyTable } from '../../database/schema.ts';
import { type DecryptedKey, decryptKeySecret, encryptKeySecret } from '../../secrets/key-secret.ts';
import type { MasterKey } from '../../secrets/master-key.ts';

type KeyRow = Pick<Selectable<AccessKeyTable>, 'id' | 'project_id' | 'name' | 'type' | 'secret'>;

/** The login of a key. Empty if the secret cannot be decrypted, so that one damaged row does not fail the whole list. */
const loginOf = (master: MasterKey, row: KeyRow): string => {
  try {
    const key = decryptKeySecret(master, row);
    return key.type === 'none' ? '' : key.login;
  } catch {
    return '';
  }
};

/** Presents a key without its secret, and with its login only to members who may change keys. */
export const presentKey = (master: MasterKey, row: KeyRow, permissions: number): Key => {
  const { id, project_id, name, type } = row;
  const login = holds(permissions, 'edit_keys') ? loginOf(master, row) : '';
  return {
    id,
    project_id,
    name,
    type,
    ssh: { login: type === 'ssh' ? login : '', private_key: '', passphrase: '' },
    login_password: { login: type === 'login_password' ? login : '', password: '' },
    override_secret: false,
  };
};

/** Stores a key. Its secret is encrypted for its own id, so the row is inserted first. */
export const insertKey = async (
  tx: StateTransaction,
  master: MasterKey,
  projectId: number,
  name: string,
  secret: DecryptedKey,
  actor: Actor,
  now: Date,
): Promise<Key> => {
  const row = await tx
    .insertInto('access_key')
    .values({ project_id: projectId, name, type: secret.type, secret: '' })
    .returning(['id', 'project_id', 'name', 'type'])
    .executeTakeFirstOrThrow();
  const encrypted = encryptKeySecret(master, row.id, secret);
  await tx.updateTable('access_key').set({ secret: encrypted }).where('id', '=', row.id).execute();
  await recordCreated(tx, 'key', row, actor, now);
  return presentKey(master, { ...row, secret: encrypted }, ADMIN_PERMISSIONS);
};
