import { type RawBuilder, sql } from 'kysely';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { countsAgainstLimits } from './counted-tasks.ts';
import { isUnclaimed, waitsForNone } from './waiting-needs.ts';

/** Whether a task has a lock. Without one, a claim compares none. */
export const areThereLocks = async (db: StateReader): Promise<boolean> =>
  (await db.selectFrom('task_lock').select('task_id').limit(1).executeTakeFirst()) !== undefined;

/** The locks of the tasks that run or are leased. */
export const HELD_LOCKS = sql`held (project_id, name, exclusive) as (
  select task_lock.project_id, task_lock.name, max(1 - task_lock.shared)
  from task other join task_lock on task_lock.task_id = other.id
  where ${countsAgainstLimits('other')} group by task_lock.project_id, task_lock.name
)`;

/** Whether the task `ahead` gets its locks before the task `waiting`. */
type IsAhead = RawBuilder<unknown>;
export const AHEAD_BY_PRIORITY: IsAhead = sql`(ahead.priority > waiting.priority
  or (ahead.priority = waiting.priority and ahead.id < waiting.id))`;
export const AHEAD_BY_AGE: IsAhead = sql`ahead.id < waiting.id`;

/**
 * Whether the task `waiting` gets all of its locks: no task holds one of them, and no task of the same queue that wants
 * one of them is ahead. Otherwise a task with two locks could wait for ever for both to be free.
 */
export const locksAreFree = (isAhead: IsAhead) => sql`not exists (
    select 1 from task_lock mine join held on held.project_id = mine.project_id and held.name = mine.name
    where mine.task_id = waiting.id and (held.exclusive = 1 or mine.shared = 0)
  ) and not exists (
    select 1 from task_lock mine
    join task_lock wanted on wanted.project_id = mine.project_id and wanted.name = mine.name
      and (wanted.shared = 0 or mine.shared = 0)
    join task ahead on ahead.id = wanted.task_id
    where mine.task_id = waiting.id and ${isAhead} and ahead.app = waiting.app
      and ahead.runner_tags = waiting.runner_tags and ${isUnclaimed('ahead')}
      and ${waitsForNone('ahead')}
  )`;

/** Removes the tasks whose locks an earlier task of the list takes. */
export const withoutConflicts = async <T extends { readonly id: number }>(
  tx: StateTransaction,
  next: readonly T[],
): Promise<readonly T[]> => {
  if (next.length < 2) return next;
  const rows = await tx
    .selectFrom('task_lock')
    .select(['task_id', 'project_id', 'name', 'shared'])
    .where(
      'task_id',
      'in',
      next.map(({ id }) => id),
    )
    .execute();
  const taken = new Map<string, { isShared: boolean }>();
  return next.filter(({ id }) => {
    const wanted = rows
      .filter(({ task_id }) => task_id === id)
      .map(({ project_id, name, shared }) => ({ key: `${project_id} ${name}`, isShared: shared === 1 }));
    const isFree = wanted.every(({ key, isShared }) => {
      const other = taken.get(key);
      return other === undefined || (other.isShared && isShared);
    });
    if (isFree) for (const { key, isShared } of wanted) taken.set(key, { isShared });
    return isFree;
  });
};
