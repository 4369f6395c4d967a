import type { WaitingReason } from '@signalbox/contract';
import { sql } from 'kysely';
import { type StateReader, stateOf } from '../../database/database.ts';
import { countsAgainstLimits } from './counted-tasks.ts';
import { AHEAD_BY_PRIORITY } from './locks.ts';
import { isUnclaimed, UNCLAIMED, waitsForNone } from './waiting-needs.ts';

interface Conflict {
  readonly waiting_id: number;
  readonly name: string;
  readonly id: number;
  readonly template_id: number;
  readonly start_time: string | null;
}

/** The tasks that hold a lock which one of these tasks wants, the longest running first. */
const holders = async (db: StateReader, ids: readonly number[]): Promise<readonly Conflict[]> => {
  const { rows } = await sql<Conflict>`
    select mine.task_id as waiting_id, mine.name, other.id, other.template_id, other.start_time
    from task_lock mine
    join task_lock taken on taken.project_id = mine.project_id and taken.name = mine.name
      and (taken.shared = 0 or mine.shared = 0)
    join task other on other.id = taken.task_id
    where mine.task_id in (${sql.join(ids)}) and ${countsAgainstLimits('other')} order by other.id`.execute(
    stateOf(db),
  );
  return rows;
};

/** The waiting tasks that get a lock before one of these tasks, the first ones first. */
const tasksAhead = async (db: StateReader, ids: readonly number[]): Promise<readonly Conflict[]> => {
  const { rows } = await sql<Conflict>`
    select waiting.id as waiting_id, mine.name, ahead.id, ahead.template_id, ahead.start_time
    from task waiting
    join task_lock mine on mine.task_id = waiting.id
    join task_lock wanted on wanted.project_id = mine.project_id and wanted.name = mine.name
      and (wanted.shared = 0 or mine.shared = 0)
    join task ahead on ahead.id = wanted.task_id
    where waiting.id in (${sql.join(ids)}) and ${UNCLAIMED} and ${isUnclaimed('ahead')} and ${waitsForNone('ahead')}
      and ahead.app = waiting.app and ahead.runner_tags = waiting.runner_tags and ${AHEAD_BY_PRIORITY}
    order by ahead.priority desc, ahead.id`.execute(stateOf(db));
  return rows;
};

/** Number of successful tasks from which the expected end is computed. */
const MEASURED = 10;

/** When a task is expected to end: after the median time of the newest successful tasks of its template. */
const expectedEnd = async (db: StateReader, { template_id, start_time }: Conflict): Promise<string> => {
  if (start_time === null) return '';
  const tasks = await db
    .selectFrom('task')
    .select(['start_time', 'end_time'])
    .where('template_id', '=', template_id)
    .where('status', '=', 'success')
    .orderBy('id', 'desc')
    .limit(MEASURED)
    .execute();
  const durations = tasks
    .flatMap(({ start_time: start, end_time: end }) => (start && end ? [Date.parse(end) - Date.parse(start)] : []))
    .toSorted((a, b) => a - b);
  const median = durations[Math.floor(durations.length / 2)];
  return median === undefined ? '' : new Date(Date.parse(start_time) + median).toISOString();
};

/** Maximum number of tasks that hold locks whose end one answer computes. */
const MAX_ENDS = 50;

/** Which locks tasks wait for, by id of the waiting task. Tasks whose locks are free are left out. */
export const lockReasons = async (
  db: StateReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, WaitingReason>> => {
  if (ids.length === 0) return new Map();
  const reasons = new Map<number, WaitingReason>();
  for (const { waiting_id, name: lock, id } of await tasksAhead(db, ids))
    if (!reasons.has(waiting_id)) reasons.set(waiting_id, { code: 'lock_ahead', params: { lock, id } });
  const held = Map.groupBy(await holders(db, ids), ({ waiting_id }) => waiting_id);
  const ends = new Map<number, string>();
  for (const [waitingId, [holder]] of held) {
    if (!holder) continue;
    const { id, name: lock, start_time } = holder;
    if (!ends.has(id)) ends.set(id, ends.size < MAX_ENDS ? await expectedEnd(db, holder) : '');
    const params = { lock, id, since: start_time ?? '', expected_end: ends.get(id) ?? '' };
    reasons.set(waitingId, { code: 'lock_held', params });
  }
  return reasons;
};
