import type { WaitingReason } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { type HeldLock, missingLocks } from './locks.ts';

/** Number of successful tasks from which the expected end is computed. */
const MEASURED = 10;

/** When a task is expected to end: after the median time of the newest successful tasks of its template. */
const expectedEnd = async (db: StateReader, { template_id, start_time }: HeldLock): Promise<string> => {
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

/**
 * Which locks tasks wait for, by id of the waiting task. Tasks whose locks are free are left out.
 * @param hidden the templates whose tasks the reader must not see: only the lock is named
 */
export const lockReasons = async (
  db: StateReader,
  ids: readonly number[],
  hidden: ReadonlySet<number>,
): Promise<ReadonlyMap<number, WaitingReason>> => {
  if (ids.length === 0) return new Map();
  const missing = await missingLocks(db, 'priority');
  const reasons = new Map<number, WaitingReason>();
  const ends = new Map<number, string>();
  for (const taskId of ids) {
    const { name: lock, by } = missing.get(taskId) ?? {};
    if (lock === undefined || by === undefined) continue;
    const isHidden = hidden.has(by.template_id);
    const id = isHidden ? 0 : by.task_id;
    if (!('start_time' in by)) {
      reasons.set(taskId, { code: 'lock_ahead', params: { lock, id } });
      continue;
    }
    if (isHidden) {
      reasons.set(taskId, { code: 'lock_held', params: { lock, id, since: '', expected_end: '' } });
      continue;
    }
    if (!ends.has(id)) ends.set(id, ends.size < MAX_ENDS ? await expectedEnd(db, by) : '');
    const params = { lock, id, since: by.start_time ?? '', expected_end: ends.get(id) ?? '' };
    reasons.set(taskId, { code: 'lock_held', params });
  }
  return reasons;
};
