import { sql } from 'kysely';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import { type RunnerRules, readRules, takesTemplate } from './runner-rules.ts';
import { isUnclaimed, type Need, needsMet, UNCLAIMED, waitingNeeds } from './waiting-needs.ts';

export interface Claim {
  readonly id: number;
  readonly epoch: number;
  readonly project_id: number;
}

export interface ClaimLimits {
  readonly runnerId: number;
  /** Hash of the token that the runner has authenticated with. A runner with a revoked token gets no task. */
  readonly tokenHash: string;
  /** Free slots of the runner. */
  readonly slots: number;
  /** The apps that the runner can run. */
  readonly apps: readonly string[];
  /** Runs of the whole system at once; 0 means no limit. */
  readonly systemLimit: number;
}

/**
 * A task that counts against the limits, because it runs or is leased to a runner. The condition of the index `task_held`,
 * written so that no other index matches it.
 */
export const countsAgainstLimits = (alias: string) =>
  sql`case when ${sql.ref(`${alias}.status`)} = 'waiting' then ${sql.ref(`${alias}.runner_id`)} is not null
      else ${sql.ref(`${alias}.status`)} in ('starting', 'running', 'stopping') end`;

/** Tasks that wait in the same queue as the one before them, and need not wait for the end of an earlier task. */
const SAME_QUEUE = sql`waiting.app = before.app and waiting.runner_tags = before.runner_tags
  and waiting.template_id = before.template_id and ${UNCLAIMED} and (waiting.after_task_id is null or not exists (
    select 1 from task earlier where earlier.id = waiting.after_task_id
      and earlier.status in ('waiting', 'starting', 'running', 'stopping')
  ))`;

const PRIORITY_BEFORE = sql`(select task.priority from task where task.id = before.id)`;

/** Needs in one statement, because databases limit the number of values. */
const NEEDS_AT_ONCE = 1000;

type RankedClaim = Claim & { readonly priority: number };

/**
 * Leases the next tasks that have one of these needs. One ranked update checks every limit. It checks each task again, because
 * PostgreSQL evaluates only the condition of the update once more for a task that changed while the update waited for its lock.
 */
const claimAmong = async (
  tx: StateTransaction,
  { runnerId, slots, systemLimit }: ClaimLimits,
  rules: RunnerRules,
  needs: readonly Need[],
): Promise<readonly RankedClaim[]> => {
  const counted = countsAgainstLimits('other');
  const ofRunner = sql`select count(*) from task other where other.runner_id = ${runnerId} and ${counted}`;
  const values = needs.map(({ app, runner_tags }) => sql`(${app}, ${runner_tags})`);
  const { rows } = await sql<RankedClaim>`
    with recursive need (app, runner_tags) as (values ${sql.join(values)}),
    queue (app, runner_tags, template_id) as (
      select need.app, need.runner_tags, (
        select waiting.template_id from task waiting
        where waiting.app = need.app and waiting.runner_tags = need.runner_tags and ${UNCLAIMED}
        order by waiting.template_id limit 1
      ) from need where (${ofRunner}) < ${slots}
      union all
      select before.app, before.runner_tags, (
        select waiting.template_id from task waiting
        where waiting.app = before.app and waiting.runner_tags = before.runner_tags
          and waiting.template_id > before.template_id and ${UNCLAIMED}
        order by waiting.template_id limit 1
      ) from queue before where before.template_id is not null
    ),
    head (app, runner_tags, template_id, parallel, position, id) as (
      select before.app, before.runner_tags, before.template_id,
        (select allow_parallel_tasks from template where template.id = before.template_id), 1,
        (select waiting.id from task waiting where ${SAME_QUEUE} order by waiting.priority desc, waiting.id limit 1)
      from queue before where before.template_id is not null and ${takesTemplate('before.template_id', rules)}
      union all
      select before.app, before.runner_tags, before.template_id, before.parallel, before.position + 1, coalesce(
        (select waiting.id from task waiting where ${SAME_QUEUE}
          and waiting.priority = ${PRIORITY_BEFORE} and waiting.id > before.id order by waiting.id limit 1),
        (select waiting.id from task waiting where ${SAME_QUEUE}
          and waiting.priority < ${PRIORITY_BEFORE} order by waiting.priority desc, waiting.id limit 1)
      ) from head before where before.id is not null and before.parallel = 1 and before.position < ${slots}
    )
    update task set runner_id = ${runnerId}, epoch = epoch + 1,
      runner_name = coalesce((select name from runner where runner.id = ${runnerId}), '')
    where ${isUnclaimed('task')} and id in (
      select id from (
        select allowed.id, row_number() over (order by allowed.priority desc, allowed.id) as turn
        from (
          select candidate.id, candidate.project_id, candidate.priority, project.max_parallel_tasks,
            row_number() over (
              partition by candidate.project_id order by candidate.priority desc, candidate.id
            ) as turn
          from (
            select first.id, first.project_id, first.template_id, first.priority,
              row_number() over (partition by first.template_id order by first.priority desc, first.id) as turn
            from (
              select head.id, head.template_id,
                (select task.project_id from task where task.id = head.id) as project_id,
                (select task.priority from task where task.id = head.id) as priority
              from head where head.id is not null
            ) first
          ) candidate
          join template on template.id = candidate.template_id
          join project on project.id = candidate.project_id
          where template.allow_parallel_tasks = 1
            or (candidate.turn = 1 and not exists (
              select 1 from task other where other.template_id = candidate.template_id and ${counted}
            ))
        ) allowed
        left join (
          select other.project_id + 0 as project_id, count(*) as tasks
          from task other where ${counted} group by other.project_id + 0
        ) busy on busy.project_id = allowed.project_id
        where allowed.max_parallel_tasks = 0
          or allowed.turn + coalesce(busy.tasks, 0) <= allowed.max_parallel_tasks
      ) ranked
      where ranked.turn + (${ofRunner}) <= ${slots}
        and (${systemLimit} = 0 or ranked.turn + (select count(*) from task other where ${counted}) <= ${systemLimit})
    )
    returning id, epoch, project_id, priority`.execute(tx);
  return rows;
};

/**
 * Leases the next tasks to a runner, so that servers and starts that claim at the same time cannot exceed a limit together.
 * Tasks are claimed by priority, and with the same priority in the order of their creation, except that a task that must
 * wait does not block later ones. If there are very many different needs, tasks with the older ones come first.
 *
 * The cost depends on the number of templates with waiting tasks and on the slots, not on the number of waiting tasks:
 * of each template only the first tasks that the runner could take are read.
 */
export const claimTasks = (database: Database, limits: ClaimLimits): Promise<Claim[]> =>
  database.write(async (tx) => {
    const { runnerId, tokenHash, slots, apps } = limits;
    if (apps.length === 0) return [];
    const rules = (await readRules(tx, runnerId)).get(runnerId);
    if (rules?.tokenHash !== tokenHash || rules.paused || rules.draining) return [];
    const needs = needsMet(await waitingNeeds(tx), { apps, tags: rules.tags });
    const claims: RankedClaim[] = [];
    for (let from = 0; from < needs.length && claims.length < slots; from += NEEDS_AT_ONCE)
      claims.push(...(await claimAmong(tx, limits, rules, needs.slice(from, from + NEEDS_AT_ONCE))));
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
