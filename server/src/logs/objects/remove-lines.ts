import type { Logs } from '../../database/database.ts';
import { objectOf } from './block-source.ts';
import { type MoveDeps, moveStreamsBack } from './move-log.ts';

const REMOVED_STREAMS = ['output', 'object'] as const;

/** Deletes the lines. Returns false if a move has just put the results into an object. */
const deleteLines = async (db: Logs, taskId: number): Promise<boolean> => {
  const blocks = db.deleteFrom('log_block').where('task_id', '=', taskId);
  const moved = await db
    .selectFrom('log_block')
    .select('first')
    .where('task_id', '=', taskId)
    .where('stream', '=', 'results')
    .where('kind', '=', 'moved')
    .limit(1)
    .executeTakeFirst();
  if (moved && (await objectOf(db, taskId)) !== undefined) return false;
  // Without the row of the object, a move in progress cannot end.
  await blocks.where('stream', 'in', REMOVED_STREAMS).execute();
  return true;
};

/**
 * Removes the lines of a log. Results are moved back from the object, which is no longer needed afterwards. Interrupted,
 * it can be repeated.
 */
export const removeLines = async (deps: MoveDeps, taskId: number): Promise<void> => {
  for (;;) {
    await moveStreamsBack(deps, taskId, ['results']);
    if (await deps.writes.write([taskId], (tx) => deleteLines(tx, taskId))) return;
  }
};
