import { sql } from 'kysely';
import { type StateReader, stateOf } from '../../database/database.ts';
import { countsAgainstLimits } from './counted-tasks.ts';
import {
  areThereHostLocks,
  type HostTask,
  heldHosts,
  type LockDeps,
  TakenHosts,
  type WantingTask,
  wantedHosts,
} from './host-locks.ts';
import { anyTakes } from './runner-rules.ts';
import { UnlistedTasks } from './unlisted-tasks.ts';
import { UNCLAIMED, waitsForNone } from './waiting-needs.ts';

/** A lock that a task wants or holds. */
interface Lock {
  readonly task_id: number;
  readonly project_id: number;
  readonly name: string;
  readonly shared: number;
}

type WantedLock = Lock & WantingTask;

/** The task that holds a lock. */
export interface HeldLock {
  readonly task_id: number;
  readonly template_id: number;
  readonly start_time: string | null;
}

/** A lock for which a task waits, and the task that holds it or gets it first. */
export interface MissingLock {
  readonly name: string;
  /** Number of further hosts of the same task; undefined for a lock by name. */
  readonly others?: number;
  /** The first of the hosts, without names that contain secrets. */
  readonly hosts?: readonly string[];
  /** Whether it is not known yet which hosts the other task locks. The name is empty. */
  readonly isUnlisted?: true;
  readonly by: Pick<WantingTask, 'task_id' | 'template_id'> | HeldLock;
}

/** Whether the locks are given to waiting tasks by priority and age, or by age alone. */
export type LockOrder = 'priority' | 'age';

/** Maximum number of wanted locks that are compared. Tasks that come later wait until earlier ones have started. */
const MAX_WANTED = 5000;

/** Whether a task has a lock. Without one, a claim compares none. */
export const areThereLocks = async (db: StateReader): Promise<boolean> =>
  (await db.selectFrom('task_lock').select('task_id').limit(1).executeTakeFirst()) !== undefined ||
  (await areThereHostLocks(db));

/** The locks of the tasks that run or are leased, which are as many as all runners have slots. The oldest task first. */
const heldLocks = async (db: StateReader): Promise<readonly (HeldLock & Lock)[]> => {
  const { rows } = await sql<HeldLock & Lock>`
    select task_lock.task_id, task_lock.project_id, task_lock.name, task_lock.shared, other.template_id, other.start_time
    from task other join task_lock on task_lock.task_id = other.id
    where ${countsAgainstLimits('other')} order by other.id`.execute(stateOf(db));
  return rows;
};

/** The locks that waiting tasks want, in the order in which the tasks get them. */
const wantedLocks = async (db: StateReader, order: LockOrder): Promise<readonly WantedLock[]> => {
  const { rows } = await sql<WantedLock>`
    select waiting.id as task_id, task_lock.project_id, task_lock.name, task_lock.shared,
      waiting.template_id, waiting.priority, waiting.lock_hosts, waiting.locks,
      waiting.runner_tags, project.runner_tags as project_tags
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

interface Candidate {
  readonly task: WantingTask;
  readonly locks: readonly WantedLock[];
  readonly host: HostTask | undefined;
  readonly isUnlisted: boolean;
}

/**
 * The tasks that could get all of their locks, and those whose hosts are not known yet, in the order of the queue. Tasks of
 * which the locks or the hosts are not compared are left out.
 */
const inOrder = (
  wanted: readonly WantedLock[],
  hosts: readonly HostTask[],
  unlisted: readonly HostTask[],
  order: LockOrder,
): readonly Candidate[] => {
  const locksOf = Map.groupBy(wanted, ({ task_id }) => task_id);
  const hostsOf = new Map(hosts.map((task) => [task.task_id, task]));
  const candidates = new Map<number, Candidate>();
  for (const task of [...wanted, ...hosts]) {
    const [locks, host] = [locksOf.get(task.task_id) ?? [], hostsOf.get(task.task_id)];
    const isKnown = (task.lock_hosts === 0 || host !== undefined) && (task.locks === '[]' || locks.length > 0);
    if (isKnown) candidates.set(task.task_id, { task, locks, host, isUnlisted: false });
  }
  for (const host of unlisted) candidates.set(host.task_id, { task: host, locks: [], host, isUnlisted: true });
  return [...candidates.values()].toSorted(
    ({ task: a }, { task: b }) => (order === 'priority' ? b.priority - a.priority : 0) || a.task_id - b.task_id,
  );
};

/** What a decision reports of a task that does not get all of its locks. */
type Report<T> = (conflicts: readonly MissingLock[], host: (() => MissingLock | undefined) | undefined) => T;

/**
 * Decides for each waiting task with locks whether it gets all of them now: undefined, or what `report` returns. A task gets no lock that a running task holds, nor one that a task ahead of it wants, even if that one waits for another
 * lock. Otherwise a task with two locks could wait for ever for both to be free. Tasks that no connected runner takes are
 * left out, because they must not stop the others. A task gets no hosts before an earlier task of its template whose hosts
 * are not known yet.
 */
const decide = async <T>(
  deps: LockDeps,
  order: LockOrder,
  report: Report<T>,
): Promise<ReadonlyMap<number, T | undefined>> => {
  const { db } = deps;
  const taken = new Map<string, Taken>();
  const take = (lock: Lock, by: MissingLock['by']): void => {
    const before = taken.get(keyOf(lock));
    const isShared = lock.shared === 1;
    if (!before || (before.isShared && !isShared)) taken.set(keyOf(lock), { isShared, by });
  };
  for (const lock of await heldLocks(db)) take(lock, lock);
  const [holders, hosts] = [await heldHosts(db), await wantedHosts(db, order, 'listed')];
  const takenHosts = await TakenHosts.of(deps, [...holders, ...hosts]);
  for (const holder of holders) takenHosts.take(holder, holder);
  const isTaken = await anyTakes(db);
  const unlisted = new UnlistedTasks();
  const waiting = inOrder(await wantedLocks(db, order), hosts, await wantedHosts(db, order, 'unlisted'), order);
  const missing = new Map<number, T | undefined>();
  for (const { task, locks, host, isUnlisted } of waiting) {
    const isStartable = isTaken({ ...task, tags: task.runner_tags });
    if (isUnlisted) {
      if (host && isStartable) unlisted.add(host);
      continue;
    }
    const conflicts = locks.flatMap((lock): MissingLock[] => {
      const other = taken.get(keyOf(lock));
      return other && !(other.isShared && lock.shared === 1) ? [{ name: lock.name, by: other.by }] : [];
    });
    const ahead = host && unlisted.ahead(host);
    if (ahead) conflicts.push(ahead);
    const ofHosts = host && takenHosts.isMissing(host) ? () => takenHosts.conflict(host) : undefined;
    missing.set(task.task_id, conflicts.length > 0 || ofHosts ? report(conflicts, ofHosts) : undefined);
    if (isStartable) {
      const by = { task_id: task.task_id, template_id: task.template_id };
      for (const lock of locks) take(lock, by);
      if (host) takenHosts.take(host, by);
    }
  }
  return missing;
};

/** The lock that each waiting task misses: one that a running task holds explains more than one that a waiting task gets first. */
export const missingLocks = (deps: LockDeps, order: LockOrder): Promise<ReadonlyMap<number, MissingLock | undefined>> =>
  decide(deps, order, (conflicts, host) => {
    const all = [...conflicts, ...(host ? [host()] : [])];
    return all.find((one) => one && 'start_time' in one.by) ?? all[0];
  });

/** The waiting tasks that get all of their locks now. */
export const tasksWithFreeLocks = async (deps: LockDeps, order: LockOrder): Promise<readonly number[]> =>
  [...(await decide(deps, order, () => true))].flatMap(([id, isMissing]) => (isMissing ? [] : [id]));
