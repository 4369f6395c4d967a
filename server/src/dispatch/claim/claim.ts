import { sql } from 'kysely';
import { type Database, LOCK } from '../../database/database.ts';

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

/** A task that counts against the limits, because it runs or is leased to a runner. */
const held = (alias: string) =>
  sql`${sql.ref(`${alias}.status`)} in ('waiting', 'starting', 'running', 'stopping')
      and (${sql.ref(`${alias}.status`)} <> 'waiting' or ${sql.ref(`${alias}.runner_id`)} is not null)`;

/**
 * Leases the next tasks to a runner. One ranked update checks every limit, so servers and starts that claim at the
 * same time cannot exceed one together. Tasks of a project are claimed in the order of their creation, except that a
 * task that must wait does not block later ones.
 */
export const claimTasks = (
  database: Database,
  { runnerId, tokenHash, slots, apps, systemLimit }: ClaimLimits,
): Promise<Claim[]> =>
  database.write(async (tx) => {
    if (apps.length === 0) return [];
    const ofRunner = sql`select count(*) from task other where other.runner_id = ${runnerId} and ${held('other')}`;
    const { rows } = await sql<Claim>`
      update task set runner_id = ${runnerId}, epoch = epoch + 1,
        runner_name = coalesce((select name from runner where runner.id = ${runnerId}), '')
      where id in (
        select id from (
          select allowed.id, row_number() over (order by allowed.id) as turn
          from (
            select candidate.id, candidate.project_id, project.max_parallel_tasks,
              row_number() over (partition by candidate.project_id order by candidate.id) as turn
            from (
              select waiting.id, waiting.project_id, waiting.template_id,
                row_number() over (partition by waiting.template_id order by waiting.id) as turn
              from task waiting
              where waiting.status in ('waiting', 'starting', 'running', 'stopping')
                and waiting.status = 'waiting' and waiting.runner_id is null
                and waiting.app in (${sql.join(apps)})
                and (${ofRunner}) < ${slots}
                and (waiting.after_task_id is null or not exists (
                  select 1 from task earlier where earlier.id = waiting.after_task_id
                    and earlier.status in ('waiting', 'starting', 'running', 'stopping')
                ))
            ) candidate
            join template on template.id = candidate.template_id
            join project on project.id = candidate.project_id
            where template.allow_parallel_tasks = 1
              or (candidate.turn = 1 and not exists (
                select 1 from task other where other.template_id = candidate.template_id and ${held('other')}
              ))
          ) allowed
          left join (
            select other.project_id, count(*) as tasks from task other where ${held('other')} group by other.project_id
          ) busy on busy.project_id = allowed.project_id
          where allowed.max_parallel_tasks = 0
            or allowed.turn + coalesce(busy.tasks, 0) <= allowed.max_parallel_tasks
        ) ranked
        where ranked.turn + (${ofRunner}) <= ${slots}
          and exists (select 1 from runner where runner.id = ${runnerId} and runner.token_hash = ${tokenHash})
          and (${systemLimit} = 0 or ranked.turn + (select count(*) from task other where ${held('other')}) <= ${systemLimit})
      )
      returning id, epoch, project_id`.execute(tx);
    return rows.toSorted((a, b) => a.id - b.id);
  }, LOCK.claim);

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
