import { sql } from 'kysely';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import { byAge, byPriority } from './claim-order.ts';
import type { LockDeps } from './host-locks.ts';
import { areThereLocks, type LockOrder, tasksWithFreeLocks } from './locks.ts';
import { type ClaimLimits, type NextTask, nextTasks } from './next-tasks.ts';
import { moveTurn, poolOf } from './project-turn.ts';
import { MAX_NEEDS, type RunnerRules, readRules } from './runner-rules.ts';
import { needsMet, waitingNeeds } from './waiting-needs.ts';

export interface Claim {
  readonly id: number;
  readonly epoch: number;
  readonly project_id: number;
}

/** One of so many tasks that a runner gets is the oldest one, so that a task with a low priority starts too. */
export const OLDEST_EVERY = 8;

type ClaimWithPriority = Claim & { readonly priority: number };

/** Written so that no index matches it: the tasks are found by their ids. */
const IS_STILL_UNCLAIMED = sql<boolean>`case when runner_id is null then status = 'waiting' and approval_state <> 'pending' else false end`;

/**
 * Leases tasks. Checks each again, because PostgreSQL evaluates only the condition of the update once more for a task that
 * changed while the update waited for its lock.
 */
const lease = async (
  tx: StateTransaction,
  rules: RunnerRules,
  next: readonly NextTask[],
): Promise<readonly ClaimWithPriority[]> => {
  const [first] = next;
  if (!first) return [];
  const rows = await tx
    .updateTable('task')
    .set((eb) => ({ runner_id: rules.id, runner_name: rules.name, epoch: eb('epoch', '+', 1) }))
    .where(
      'id',
      'in',
      next.map(({ id }) => id),
    )
    .where(IS_STILL_UNCLAIMED)
    .returning(['id', 'epoch', 'project_id', 'priority'])
    .execute();
  const projectIds = rows.map(({ project_id }) => project_id);
  await moveTurn(tx, { pool: poolOf(rules), lowest: first.lowest, projectIds });
  return rows;
};

/** The tasks with locks that get all of theirs; undefined if no task has locks. */
const startable = async (
  deps: LockDeps,
  hasLocks: boolean,
  order: LockOrder,
): Promise<readonly number[] | undefined> => {
  if (!hasLocks) return undefined;
  return await tasksWithFreeLocks(deps, order);
};

/**
 * Leases the next tasks to a runner, so that servers and starts that claim at the same time cannot exceed a limit together.
 * Tasks are claimed by priority. Within a priority, projects share the starts, weighted by their limits of parallel tasks, and
 * each starts its oldest task. One of `OLDEST_EVERY` tasks that a runner gets is the oldest one of all. A task that must
 * wait does not block later ones. With more than `MAX_NEEDS` needs, those with the oldest tasks are claimed first.
 *
 * The cost depends on the number of templates with waiting tasks and on the slots, not on the number of waiting tasks:
 * of each template only the first tasks that the runner could take are read.
 */
export const claimTasks = (database: Database, limits: ClaimLimits): Promise<Claim[]> =>
  database.write(async (tx) => {
    const { runnerId, tokenHash, slots, apps, hostNames } = limits;
    if (apps.length === 0) return [];
    const rules = (await readRules(tx, runnerId)).get(runnerId);
    if (rules?.tokenHash !== tokenHash || rules.paused || rules.draining) return [];
    const needs = needsMet(await waitingNeeds(tx), { apps, abilities: rules.abilities });
    const hasLocks = needs.length > 0 && (await areThereLocks(tx));
    const claims: ClaimWithPriority[] = [];
    const deps = { db: tx, hostNames };
    for (let from = 0; from < needs.length && claims.length < slots; ) {
      // Counts from the id, so that among runners that get only one task each, some get the oldest one.
      const untilOldest = OLDEST_EVERY - 1 - ((runnerId + rules.claims + claims.length) % OLDEST_EVERY);
      const [order, most] =
        untilOldest === 0
          ? [byAge(await startable(deps, hasLocks, 'age')), 1]
          : [byPriority(await startable(deps, hasLocks, 'priority')), untilOldest];
      const wanted = { rules, needs: needs.slice(from, from + MAX_NEEDS), order, most };
      const next = await nextTasks(tx, limits, wanted);
      const claimed = await lease(tx, rules, next);
      claims.push(...claimed);
      if (claimed.length < most) from += MAX_NEEDS;
    }
    if (claims.length > 0)
      await tx
        .updateTable('runner')
        .set((eb) => ({ claims: eb('claims', '+', claims.length) }))
        .where('id', '=', runnerId)
        .execute();
    return claims
      .toSorted((a, b) => b.priority - a.priority || a.id - b.id)
      .map(({ id, epoch, project_id }) => ({ id, epoch, project_id }));
  }, LOCK.claim);

/** Whether a task still waits to be accepted with this lease. Otherwise it was stopped, or its lease has ended. */
export const isLeased = async ({ read }: Database, { id, epoch }: Claim): Promise<boolean> => {
  const task = await read
    .selectFrom('task')
    .select('id')
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('status', '=', 'waiting')
    .executeTakeFirst();
  return task !== undefined;
};

/**
 * Releases a lease that the runner has not accepted. The epoch of the lease ends, so accepting it later has no
 * effect.
 */
export const releaseLease = async (database: Database, taskId: number, epoch: number): Promise<void> => {
  await database.autocommit
    .updateTable('task')
    .set((eb) => ({ runner_id: null, epoch: eb('epoch', '+', 1) }))
    .where('id', '=', taskId)
    .where('epoch', '=', epoch)
    .where('status', '=', 'waiting')
    .execute();
};
