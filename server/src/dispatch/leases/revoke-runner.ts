import { randomUUID } from 'node:crypto';
import { NOT_FINAL_STATUSES } from '@signalbox/contract';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import { releaseLease } from '../claim/claim.ts';
import { revokeQueries } from '../queries/query-lease.ts';
import type { RunRecorder } from '../session/run-recorder.ts';
import { hasTasks } from './tasks-of-runner.ts';

export interface RevocationDeps {
  readonly database: Database;
  readonly recorder: RunRecorder;
  /** Takes the runs of a runner away and closes its link to this server. Other servers do so at its next heartbeat. */
  readonly disconnect: (runnerId: number) => void;
}

const REVOKED = 'The runner was deleted, so the result of the playbook is unknown. It was not started again.';

/** A stored value that no token has as its hash. */
const noToken = (): string => `revoked ${randomUUID()}`;

/**
 * Revokes the token of a runner and ends its queries, in the caller's transaction. False when the runner does not
 * exist.
 */
export const revokeToken = async (tx: StateTransaction, runnerId: number, now: Date): Promise<boolean> => {
  const revoked = await tx
    .updateTable('runner')
    .set({ token_hash: noToken(), pending_token_hash: null, previous_token_hash: null })
    .where('id', '=', runnerId)
    .executeTakeFirst();
  await revokeQueries(tx, runnerId, now);
  return revoked.numUpdatedRows > 0;
};

/**
 * Ends the work of a runner whose token was revoked, then deletes the runner. If this is interrupted, the token stays
 * revoked, and the work of the runner ends like that of any silent runner.
 */
export const endWorkOfRunner = async (
  { database, recorder, disconnect }: RevocationDeps,
  id: number,
): Promise<void> => {
  for (;;) {
    disconnect(id);
    const unended = await database.read
      .selectFrom('task')
      .select(['id', 'epoch', 'project_id', 'status', 'runner_name'])
      .where('runner_id', '=', id)
      .where('status', 'in', NOT_FINAL_STATUSES)
      .execute();
    for (const task of unended) {
      if (task.status === 'waiting') await releaseLease(database, task.id, task.epoch);
      else
        await recorder.end(task.project_id, task.id, 'lost', task.epoch, REVOKED, {
          code: 'runner.removed',
          params: { runner: task.runner_name },
        });
    }
    // Another server may have leased a task to the runner before that server closed its link.
    const isDeleted = await database.write(async (tx) => {
      if (await hasTasks(tx, id)) return false;
      await tx.deleteFrom('runner').where('id', '=', id).execute();
      return true;
    }, LOCK.claim);
    if (isDeleted) return;
  }
};
