import { MAX_QUEUE_POSITION } from '@signalbox/contract';
import { sql } from 'kysely';
import { type StateReader, stateOf } from '../../database/database.ts';
import { joinTurn, nextTurn, WEIGHT } from './project-turn.ts';
import { UNCLAIMED } from './waiting-needs.ts';

interface Row {
  readonly id: number;
  readonly priority: number;
  readonly project_id: number;
}

interface Turn {
  readonly start: number;
  readonly weight: number;
}

/** The first tasks of a queue, by priority and age. Reads the index in its order. */
const firstTasks = async (db: StateReader, app: string, runnerTags: string): Promise<readonly Row[]> => {
  const { rows } = await sql<Row>`
    select waiting.id, waiting.priority, waiting.project_id from task waiting
    where ${UNCLAIMED} and waiting.app = ${app} and waiting.runner_tags = ${runnerTags}
    order by waiting.priority desc, waiting.id limit ${MAX_QUEUE_POSITION}`.execute(stateOf(db));
  return rows;
};

const turnById = async (db: StateReader, pool: string, ids: readonly number[]): Promise<ReadonlyMap<number, Turn>> => {
  const { rows } = await sql<Turn & { id: number }>`
    select project.id, ${nextTurn(pool)} as start, ${WEIGHT} as weight
    from project ${joinTurn(pool)}
    where project.id in (${sql.join(ids)})`.execute(stateOf(db));
  return new Map(rows.map((row) => [row.id, row]));
};

/**
 * The positions of the first tasks of a queue, by id: by priority, and within a priority by the turn of the project. A limit
 * or a runner of another pool may change the order of their starts.
 * @param pool the pool of a runner that may take these tasks
 */
export const queuePositions = async (
  db: StateReader,
  { app, runner_tags, pool }: { readonly app: string; readonly runner_tags: string; readonly pool: string },
): Promise<ReadonlyMap<number, number>> => {
  const rows = await firstTasks(db, app, runner_tags);
  if (rows.length === 0) return new Map();
  const turnOf = await turnById(db, pool, [...new Set(rows.map(({ project_id }) => project_id))]);
  const earlier = new Map<number, number>();
  const ranked = rows.map(({ id, priority, project_id }) => {
    const { start, weight } = turnOf.get(project_id) ?? { start: 0, weight: 1 };
    const before = earlier.get(project_id) ?? 0;
    earlier.set(project_id, before + 1);
    return { id, priority, turn: start + before / weight };
  });
  const order = ranked.toSorted((a, b) => b.priority - a.priority || a.turn - b.turn || a.id - b.id);
  return new Map(order.map(({ id }, index) => [id, index + 1]));
};
