import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import type { RunnerRules } from './runner-rules.ts';

/** Weight of a project without a limit of parallel tasks, and the highest one: owners may set any limit. */
export const MAX_WEIGHT = 10;

/** Share of the starts that a project gets while others wait too: its limit of parallel tasks. */
export const WEIGHT = sql`case when project.max_parallel_tasks between 1 and ${sql.lit(MAX_WEIGHT)}
  then project.max_parallel_tasks * 1.0 else ${sql.lit(MAX_WEIGHT)}.0 end`;

/** What decides to which pool a runner belongs. */
type Pooled = Pick<RunnerRules, 'id' | 'tags' | 'isLimited'>;

/**
 * The pool of a runner, in which projects share the starts: a digest of its tags. Runners with the same tags are one pool, except
 * that a runner with a list of projects is one of its own.
 */
export const poolOf = ({ id, tags, isLimited }: Pooled): string =>
  createHash('sha256')
    .update(JSON.stringify(isLimited ? [tags, id] : [tags]))
    .digest('hex')
    .slice(0, 32);

/** Joins the turn of a project: its row for a pool. */
export const joinTurn = (pool: string) =>
  sql`left join project_turn turn on turn.project_id = project.id and turn.pool = ${pool}`;

/**
 * The turn at which a project starts its next task. The project with the lowest turn is the next one. A project that was
 * idle continues at the lowest turn of the others, so it does not catch up on starts that it missed.
 */
export const nextTurn = (pool: string) => {
  const lowest = sql`(select coalesce(max(latest.lowest_turn), 0.0) from project_turn latest where latest.pool = ${pool})`;
  return sql`case when turn.next_turn > ${lowest} then turn.next_turn else ${lowest} end`;
};

/** What a claim has read and changed. */
interface Claimed {
  readonly pool: string;
  /** The lowest turn of the projects whose tasks could start. */
  readonly lowest: number;
  /** The projects of the claimed tasks, once for each task. */
  readonly projectIds: readonly number[];
}

/**
 * Moves the turn of each project whose tasks were claimed, by the reciprocal of the weight for each task. So projects
 * start tasks in proportion to their weights (start-time fair queueing).
 */
export const moveTurn = async (tx: StateTransaction, { pool, lowest, projectIds }: Claimed): Promise<void> => {
  const counts = new Map<number, number>();
  for (const id of projectIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  const values = [...counts].map(([id, tasks]) => sql`(cast(${id} as integer), cast(${tasks} as integer))`);
  if (values.length === 0) return;
  await sql`
    with claimed (project_id, tasks) as (values ${sql.join(values)})
    insert into project_turn (pool, project_id, lowest_turn, next_turn)
    select cast(${pool} as text), project.id, cast(${lowest} as double precision),
      ${nextTurn(pool)} + claimed.tasks / ${WEIGHT}
    from claimed join project on project.id = claimed.project_id ${joinTurn(pool)} where true
    on conflict (pool, project_id) do update
      set lowest_turn = excluded.lowest_turn, next_turn = excluded.next_turn`.execute(tx);
};
