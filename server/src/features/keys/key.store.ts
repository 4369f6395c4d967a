import type { Key } from '@signalbox/contract';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { type OpenKey, sealKey } from '../../secrets/key-secret.ts';
import type { MasterKey } from '../../secrets/master-key.ts';

export const presentKey = ({ id, project_id, name, type }: Pick<Key, 'id' | 'project_id' | 'name' | 'type'>): Key => ({
  id,
  project_id,
  name,
  type,
  ssh: { login: '', private_key: '', passphrase: '' },
  login_password: { login: '', password: '' },
  override_secret: false,
});

/** Stores a key; its secret is encrypted for its own row, so the row comes first. */
export const insertKey = async (
  tx: StateTransaction,
  master: MasterKey,
  projectId: number,
  name: string,
  secret: OpenKey,
  actor: Actor,
  now: Date,
): Promise<Key> => {
  const row = await tx
    .insertInto('access_key')
    .values({ project_id: projectId, name, type: secret.type, secret: '' })
    .returning(['id', 'project_id', 'name', 'type'])
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('access_key')
    .set({ secret: sealKey(master, row.id, secret) })
    .where('id', '=', row.id)
    .execute();
  await recordCreated(tx, 'Key', row, actor, now);
  return presentKey(row);
};
