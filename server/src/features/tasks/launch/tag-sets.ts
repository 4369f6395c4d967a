import { MAX_TAG_SETS } from '@signalbox/contract';
import type { StateTransaction } from '../../../database/database.ts';
import { ApiError } from '../../../http/errors/api-error.ts';

/**
 * Limits the different sets of runner tags of the waiting tasks of a project, because each claim of a runner compares
 * each of them with its tags.
 * @throws conflict when the task would add one too many
 */
export const checkTagSets = async (
  tx: StateTransaction,
  { project_id: projectId }: { readonly project_id: number },
  tags: readonly string[],
): Promise<void> => {
  if (tags.length === 0) return;
  const waiting = tx.selectFrom('task').where('project_id', '=', projectId).where('status', '=', 'waiting');
  const same = await waiting.select('id').where('runner_tags', '=', JSON.stringify(tags)).limit(1).executeTakeFirst();
  if (same) return;
  const { sets } = await waiting
    .select(({ fn }) => fn.count<number>('runner_tags').distinct().as('sets'))
    .executeTakeFirstOrThrow();
  if (Number(sets) >= MAX_TAG_SETS) throw new ApiError('conflict.tag_sets_full', { max: MAX_TAG_SETS });
};
