import { sql } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import type { ClaimOrder } from './claim-order.ts';
import { countsAgainstLimits } from './counted-tasks.ts';
import type { ComparedNames } from './host-numbers.ts';
import { joinTurn, nextTurn, poolOf, WEIGHT } from './project-turn.ts';
import { type RunnerRules, takesTemplate } from './runner-rules.ts';
import type { Need } from './waiting-needs.ts';
import { waitingQueues } from './waiting-queues.ts';

export interface ClaimLimits {
  readonly runnerId: number;
  /** Hash of the token that the runner has authenticated with. A runner with a revoked token gets no task. */
  readonly tokenHash: string;
  /** Slots of the runner, also those in use. */
  readonly slots: number;
  /** The apps that the runner can run. */
  readonly apps: readonly string[];
  /** Runs of the whole system at once; 0 means no limit. */
  readonly systemLimit: number;
  readonly hostNames: ComparedNames;
}

/** Adding 0 keeps SQLite from grouping with an index of all tasks by project, in place of that of the counted ones. */
const WITHOUT_INDEX = sql`other.project_id + 0`;

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
  const { rows } = await sql<NextTask>`
    with recursive ${waitingQueues(needs, sql`(${ofRunner}) < ${slots}`)},
    head (app, runner_tags, template_id, parallel, position, id) as (
      select before.app, before.runner_tags, before.template_id,
        (select allow_parallel_tasks from template where template.id = before.template_id), 1,
        ${order.first}
      from queue before where before.template_id is not null and ${takesTemplate('before.template_id', rules)}
      union all
      select before.app, before.runner_tags, before.template_id, before.parallel, before.position + 1, ${order.next}
      from head before where before.id is not null and ${order.isNextRead(slots)}
    )
    select id, lowest from (
      select allowed.id, row_number() over (order by ${order.all}) as claim_rank, min(allowed.start) over () as lowest
      from (
        select candidate.id, candidate.project_id, candidate.priority, project.max_parallel_tasks,
          ${nextTurn(pool)} as start, ${WEIGHT} as weight,
          row_number() over (partition by candidate.project_id order by ${order.of('candidate')}) as project_rank
        from (
          select first.id, first.project_id, first.template_id, first.priority,
            row_number() over (partition by first.template_id order by ${order.of('first')}) as template_rank
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
          or (candidate.template_rank = 1 and not exists (
            select 1 from task other where other.template_id = candidate.template_id and ${counted}
          ))
      ) allowed
      left join (
        select ${WITHOUT_INDEX} as project_id, count(*) as tasks
        from task other where ${counted} group by ${WITHOUT_INDEX}
      ) busy on busy.project_id = allowed.project_id
      where allowed.max_parallel_tasks = 0
        or allowed.project_rank + coalesce(busy.tasks, 0) <= allowed.max_parallel_tasks
    ) ranked
    where ranked.claim_rank <= ${most} and ranked.claim_rank + (${ofRunner}) <= ${slots}
      and (${systemLimit} = 0 or ranked.claim_rank + (select count(*) from task other where ${counted}) <= ${systemLimit})`.execute(
    tx,
  );
  return rows;
};
