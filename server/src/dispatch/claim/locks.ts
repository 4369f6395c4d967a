import { sql } from 'kysely';
import { type StateReader, stateOf } from '../../database/database.ts';
import { countsAgainstLimits } from './counted-tasks.ts';
import { anyTakes } from './runner-rules.ts';
import { UNCLAIMED, waitsForNone } from './waiting-needs.ts';

/** A lock that a task wants or holds. */
interface Lock {
  readonly task_id: number;
  readonly project_id: number;
  readonly name: string;
  readonly shared: number;
}

interface WantedLock extends Lock {
  readonly template_id: number;
  readonly runner_tags: string;
  readonly project_tags: string;
}

export interface HeldLock extends Lock {
  readonly template_id: number;
  readonly start_time: string | null;
}

/** A lock for which a task waits, and the task that holds it or gets it first. */
export interface MissingLock {
  readonly name: string;
  readonly by: Pick<WantedLock, 'task_id' | 'template_id'> | HeldLock;
}

/** Whether the locks are given to waiting tasks by priority and age, or by age alone. */
export type LockOrder = 'priority' | 'age';

/** Maximum number of wanted locks that are compared. Tasks that come later wait until earlier ones have started. */
const MAX_WANTED = 5000;

/** Whether a task has a lock. Without one, a claim compares none. */
export const areThereLocks = async (db: StateReader): Promise<boolean> =>
  (await db.selectFrom('task_lock').select('task_id').limit(1).executeTakeFirst()) !== undefined;

/** The locks of the tasks that run or are leased, which are as many as all runners have slots. The oldest task first. */
const heldLocks = async (db: StateReader): Promise<readonly HeldLock[]> => {
  const { rows } = await sql<HeldLock>`
    select task_lock.task_id, task_lock.project_id, task_lock.name, task_lock.shared, other.template_id, other.start_time
    from task other join task_lock on task_lock.task_id = other.id
    where ${countsAgainstLimits('other')} order by other.id`.execute(stateOf(db));
  return rows;
};

/** The locks that waiting tasks want, in the order in which the tasks get them. */
const wantedLocks = async (db: StateReader, order: LockOrder): Promise<readonly WantedLock[]> => {
  const { rows } = await sql<WantedLock>`
    select waiting.id as task_id, task_lock.project_id, task_lock.name, task_lock.shared,
      waiting.template_id, waiting.runner_tags, project.runner_tags as project_tags
    from task_lock
    join task waiting on waiting.id = task_lock.task_id
    join project on project.id = waiting.project_id
    where ${UNCLAIMED} and ${waitsForNone('waiting')}
    order by ${order === 'priority' ? sql`waiting.priority desc,` : sql``} waiting.id, task_lock.name
    limit ${MAX_WANTED}`.execute(stateOf(db));
  return rows;
};

/** What is known of a lock at one point in the order of the waiting tasks. */
interface Taken {
  readonly isShared: boolean;
  readonly by: MissingLock['by'];
}

const keyOf = ({ project_id, name }: Lock): string => `${project_id} ${name}`;

/**
 * Decides for each waiting task with locks whether it gets all of them now: undefined, or the first lock that it misses. A
 * task gets no lock that a running task holds, nor one that a task ahead of it wants, even if that one waits for another
 * lock. Otherwise a task with two locks could wait for ever for both to be free. Tasks that no connected runner takes are
 * left out, because they must not stop the others.
 */
export const missingLocks = async (
  db: StateReader,
  order: LockOrder,
): Promise<ReadonlyMap<number, MissingLock | undefined>> => {
  const taken = new Map<string, Taken>();
  const take = (lock: Lock, by: MissingLock['by']): void => {
    const before = taken.get(keyOf(lock));
    const isShared = lock.shared === 1;
    if (!before || (before.isShared && !isShared)) taken.set(keyOf(lock), { isShared, by });
  };
  for (const lock of await heldLocks(db)) take(lock, lock);
  const wanted = await wantedLocks(db, order);
  const isTaken = await anyTakes(db);
  const missing = new Map<number, MissingLock | undefined>();
  for (const [taskId, locks] of Map.groupBy(wanted, ({ task_id }) => task_id)) {
    const conflicts = locks.flatMap((lock): MissingLock[] => {
      const other = taken.get(keyOf(lock));
      return other && !(other.isShared && lock.shared === 1) ? [{ name: lock.name, by: other.by }] : [];
    });
    const [first] = locks;
    if (first && isTaken({ ...first, tags: first.runner_tags }))
      for (const lock of locks) take(lock, { task_id: taskId, template_id: lock.template_id });
    // A lock that a running task holds explains more than one that a waiting task gets first.
    missing.set(taskId, conflicts.find(({ by }) => 'start_time' in by) ?? conflicts[0]);
  }
  return missing;
};
