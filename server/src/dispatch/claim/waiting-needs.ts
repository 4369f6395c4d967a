import { sql } from 'kysely';
import { type StateReader, stateOf } from '../../database/database.ts';

/** What waiting tasks need of a runner: an app, and tags with the execution environment as JSON, see `needsOf`. Many tasks have the same needs. */
export interface Need {
  /** Id of one of these tasks. */
  readonly id: number;
  readonly app: string;
  readonly runner_tags: string;
}

/** What a runner has. */
interface RunnerAbilities {
  readonly apps: readonly string[];
  /** See `abilitiesOf`. */
  readonly abilities: readonly string[];
}

/** A task that a runner may get. The condition of the index `task_queue`, written so that no other index matches it. */
export const isUnclaimed = (alias: string) =>
  sql`case when ${sql.ref(`${alias}.status`)} = 'waiting' and ${sql.ref(`${alias}.approval_state`)} <> 'pending'
      then ${sql.ref(`${alias}.runner_id`)} is null else false end`;

export const UNCLAIMED = isUnclaimed('waiting');

/** Tasks that wait for the end of no earlier task. */
export const waitsForNone = (alias: string) => sql`(${sql.ref(`${alias}.after_task_id`)} is null or not exists (
    select 1 from task earlier where earlier.id = ${sql.ref(`${alias}.after_task_id`)}
      and earlier.status in ('waiting', 'starting', 'running', 'stopping')
  ))`;

/**
 * Lists what the waiting tasks need. Each step of the walk jumps in the index to the next different need, so the cost
 * depends on the number of different needs and not on the number of waiting tasks.
 */
export const waitingNeeds = async (db: StateReader): Promise<readonly Need[]> => {
  const { rows } = await sql<Need>`
    with recursive need (id) as (
      select (
        select waiting.id from task waiting where ${UNCLAIMED} order by waiting.app, waiting.runner_tags limit 1
      )
      union all
      select coalesce(
        (select waiting.id from task waiting
          where ${UNCLAIMED} and waiting.app = before.app and waiting.runner_tags > before.runner_tags
          order by waiting.runner_tags limit 1),
        (select waiting.id from task waiting
          where ${UNCLAIMED} and waiting.app > before.app order by waiting.app, waiting.runner_tags limit 1)
      ) from need join task before on before.id = need.id
    )
    select task.id, task.app, task.runner_tags from need join task on task.id = need.id`.execute(stateOf(db));
  return rows;
};

/** Whether a runner has an app and everything else that a task needs. */
export const hasAll = ({ apps, abilities }: RunnerAbilities, app: string, required: readonly string[]): boolean =>
  apps.includes(app) && required.every((need) => abilities.includes(need));

/** The needs that a runner meets, the oldest first. */
export const needsMet = (needs: readonly Need[], runner: RunnerAbilities): readonly Need[] =>
  needs
    .filter(({ app, runner_tags }) => hasAll(runner, app, JSON.parse(runner_tags) as string[]))
    .toSorted((a, b) => a.id - b.id);
