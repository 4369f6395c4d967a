import { randomUUID } from 'node:crypto';
import { type Database, LOCK, type StateTransaction } from '../database/database.ts';
import { releaseLease } from './claim.ts';
import { HELD, holdsTasks } from './held-tasks.ts';
import { revokeQuestions } from './question-lease.ts';
import type { RunRecorder } from './run-recorder.ts';

export interface RevocationNeeds {
  readonly database: Database;
  readonly recorder: RunRecorder;
  /** Takes a runner its runs and closes its link to this server; others notice at its next heartbeat. */
  readonly dismiss: (runnerId: number) => void;
}

const REVOKED = 'The runner was removed: how the playbook ended is not known. It was not started again.';

/** What no token hashes to. */
const noToken = (): string => `revoked ${randomUUID()}`;

/**
 * Takes a runner's token its worth and ends what it was asked, in the transaction of whoever records why. False when
 * there is no such runner.
 */
export const revokeToken = async (tx: StateTransaction, runnerId: number, now: Date): Promise<boolean> => {
  const revoked = await tx
    .updateTable('runner')
    .set({ token_hash: noToken() })
    .where('id', '=', runnerId)
    .executeTakeFirst();
  await revokeQuestions(tx, runnerId, now);
  return revoked.numUpdatedRows > 0;
};

/**
 * Ends what a runner holds whose token was revoked, and forgets it. Done halfway it does no harm: the token is worth
 * nothing already, and what such a runner holds ends as that of any runner that fell silent.
 */
export const forgetRunner = async ({ database, recorder, dismiss }: RevocationNeeds, id: number): Promise<void> => {
  for (;;) {
    dismiss(id);
    const held = await database.read
      .selectFrom('task')
      .select(['id', 'epoch', 'project_id', 'status', 'runner_name'])
      .where('runner_id', '=', id)
      .where('status', 'in', HELD)
      .execute();
    for (const task of held) {
      if (task.status === 'waiting') await releaseLease(database, task.id, task.epoch);
      else
        await recorder.end(task.project_id, task.id, 'lost', task.epoch, REVOKED, {
          code: 'runner.removed',
          params: { runner: task.runner_name },
        });
    }
    // Another server may have given it a task meanwhile, before it closed its link too.
    const isGone = await database.write(async (tx) => {
      if (await holdsTasks(tx, id)) return false;
      await tx.deleteFrom('runner').where('id', '=', id).execute();
      return true;
    }, LOCK.claim);
    if (isGone) return;
  }
};
