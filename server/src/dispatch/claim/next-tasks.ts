import { type RawBuilder, sql } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import { joinTurn, nextTurn, poolOf, WEIGHT } from './project-turn.ts';
import { type RunnerRules, takesTemplate } from './runner-rules.ts';
import { type Need, UNCLAIMED } from './waiting-needs.ts';

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

/** The first task of the next lower priority. */
const FIRST_OF_LOWER = sql`(select waiting.id from task waiting where ${SAME_QUEUE}
  and waiting.priority < ${PRIORITY_BEFORE} order by waiting.priority desc, waiting.id limit 1)`;

/** An order of the waiting tasks, and the tasks of each template that are read for it. */
export interface ClaimOrder {
  /** The order of tasks of the same template or project, whose columns have this alias. */
  readonly of: (alias: string) => RawBuilder<unknown>;
  /** The order of the tasks of all projects. */
  readonly all: RawBuilder<unknown>;
  /** The task of the template that is read after the task `before`, whose position is known. */
  readonly next: RawBuilder<unknown>;
  /** Whether another task is read. */
  readonly isNextRead: (slots: number) => RawBuilder<unknown>;
}

/** By priority. Projects share the starts of a priority, and start their oldest task. */
export const BY_PRIORITY: ClaimOrder = {
  of: (alias) => sql`${sql.ref(`${alias}.priority`)} desc, ${sql.ref(`${alias}.id`)}`,
  all: sql`allowed.priority desc, allowed.start + (allowed.rank - 1) / allowed.weight, allowed.id`,
  next: sql`coalesce(
    (select waiting.id from task waiting where ${SAME_QUEUE}
      and waiting.priority = ${PRIORITY_BEFORE} and waiting.id > before.id order by waiting.id limit 1),
    ${FIRST_OF_LOWER})`,
  isNextRead: (slots) => sql`before.parallel = 1 and before.position < ${slots}`,
};

/** By age alone. The first task of each priority is read, which are at most 21. */
export const BY_AGE: ClaimOrder = {
  of: (alias) => sql`${sql.ref(`${alias}.id`)}`,
  all: sql`allowed.id`,
  next: FIRST_OF_LOWER,
  isNextRead: () => sql`true`,
};

export interface NextTask {
  readonly id: number;
  /** The lowest turn of the projects whose tasks could start. */
  readonly lowest: number;
}

interface Wanted {
  readonly rules: RunnerRules;
  readonly needs: readonly Need[];
  readonly order: ClaimOrder;
  /** Maximum number of tasks. */
  readonly most: number;
}

/** Reads the next tasks that have one of these needs. One ranked statement checks every limit. */
export const nextTasks = async (
  tx: StateTransaction,
  { runnerId, slots, systemLimit }: ClaimLimits,
  { rules, needs, order, most }: Wanted,
): Promise<readonly NextTask[]> => {
  const pool = poolOf(rules);
  const counted = countsAgainstLimits('other');
  const ofRunner = sql`select count(*) from task other where other.runner_id = ${runnerId} and ${counted}`;
  const values = needs.map(({ app, runner_tags }) => sql`(${app}, ${runner_tags})`);
  const { rows } = await sql<NextTask>`
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
      select before.app, before.runner_tags, before.template_id, before.parallel, before.position + 1, ${order.next}
      from head before where before.id is not null and ${order.isNextRead(slots)}
    )
    select id, lowest from (
      select allowed.id, row_number() over (order by ${order.all}) as rank, min(allowed.start) over () as lowest
      from (
        select candidate.id, candidate.project_id, candidate.priority, project.max_parallel_tasks,
          ${nextTurn(pool)} as start, ${WEIGHT} as weight,
          row_number() over (partition by candidate.project_id order by ${order.of('candidate')}) as rank
        from (
          select first.id, first.project_id, first.template_id, first.priority,
            row_number() over (partition by first.template_id order by ${order.of('first')}) as rank
          from (
            select head.id, head.template_id,
              (select task.project_id from task where task.id = head.id) as project_id,
              (select task.priority from task where task.id = head.id) as priority
            from head where head.id is not null
          ) first
        ) candidate
        join template on template.id = candidate.template_id
        join project on project.id = candidate.project_id
        ${joinTurn(pool)}
        where template.allow_parallel_tasks = 1
          or (candidate.rank = 1 and not exists (
            select 1 from task other where other.template_id = candidate.template_id and ${counted}
          ))
      ) allowed
      left join (
        select other.project_id + 0 as project_id, count(*) as tasks
        from task other where ${counted} group by other.project_id + 0
      ) busy on busy.project_id = allowed.project_id
      where allowed.max_parallel_tasks = 0
        or allowed.rank + coalesce(busy.tasks, 0) <= allowed.max_parallel_tasks
    ) ranked
    where ranked.rank <= ${most} and ranked.rank + (${ofRunner}) <= ${slots}
      and (${systemLimit} = 0 or ranked.rank + (select count(*) from task other where ${counted}) <= ${systemLimit})`.execute(
    tx,
  );
  return rows;
};
