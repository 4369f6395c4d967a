import type { StateTransaction } from '../../../database/database.ts';
import type { MasterKey } from '../../../secrets/master-key.ts';
import { encryptTaskSecret } from '../../../secrets/task-secret.ts';

/** Stores the secret answers of a task, encrypted. They are deleted when the task ends. */
export const storeSecretAnswers = async (
  tx: StateTransaction,
  master: MasterKey | undefined,
  taskId: number,
  answers: ReadonlyMap<string, string>,
): Promise<void> => {
  if (answers.size === 0) return;
  if (!master) throw new Error('A launch with secret answers needs the key that encrypts them.');
  for (const [name, answer] of answers) {
    const { id } = await tx
      .insertInto('task_secret')
      .values({ task_id: taskId, name, secret: '' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('task_secret')
      .set({ secret: encryptTaskSecret(master, id, answer) })
      .where('id', '=', id)
      .execute();
  }
};
