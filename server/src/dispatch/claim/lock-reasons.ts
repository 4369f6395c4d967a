import type { WaitingReason } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { upperMedian } from '../../median.ts';
import type { LockDeps } from './host-locks.ts';
import { type HeldLock, missingLocks } from './locks.ts';

/** Number of successful tasks from which the expected end is computed. */
const MEASURED = 10;

/** Returns when a task is expected to end; empty if it takes longer than usual, null if too few runs are known. */
export type ExpectedEnd = (taskId: number) => Promise<string | null>;

/** When a task ends, if few runs are known: after the median time of the newest successful tasks of its template. */
const roughEnd = async (db: StateReader, { template_id, start_time }: HeldLock): Promise<string> => {
  if (start_time === null) return '';
  const tasks = await db
    .selectFrom('task')
    .select(['start_time', 'end_time'])
    .where('template_id', '=', template_id)
    .where('status', '=', 'success')
    .orderBy('id', 'desc')
    .limit(MEASURED)
    .execute();
  const median = upperMedian(
    tasks.flatMap(({ start_time: start, end_time: end }) =>
      start && end ? [Date.parse(end) - Date.parse(start)] : [],
    ),
  );
  return median === undefined ? '' : new Date(Date.parse(start_time) + median).toISOString();
};

/** Maximum number of tasks that hold locks whose end one answer computes. */
const MAX_ENDS = 50;

const namesOfTemplates = async (db: StateReader, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, string>> => {
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom('template')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
};

/**
 * Which locks tasks wait for, by id of the waiting task. Tasks whose locks are free are left out.
 * @param hidden the templates whose tasks the reader must not see: only the lock is named
 */
export const lockReasons = async (
  deps: LockDeps & { readonly expectedEnd: ExpectedEnd },
  ids: readonly number[],
  hidden: ReadonlySet<number>,
): Promise<ReadonlyMap<number, WaitingReason>> => {
  if (ids.length === 0) return new Map();
  const { db, expectedEnd } = deps;
  const all = await missingLocks(deps, 'priority');
  const missing = ids.flatMap((taskId) => {
    const lock = all.get(taskId);
    return lock ? [{ taskId, ...lock, isHidden: hidden.has(lock.by.template_id) }] : [];
  });
  const named = missing.filter(({ isHidden }) => !isHidden).map(({ by }) => by.template_id);
  const templates = await namesOfTemplates(db, new Set(named));
  const ends = new Map<number, string>();
  const endOf = async (lock: HeldLock): Promise<string> => {
    const known = ends.get(lock.task_id);
    if (known !== undefined) return known;
    const end = ends.size < MAX_ENDS ? ((await expectedEnd(lock.task_id)) ?? (await roughEnd(db, lock))) : '';
    ends.set(lock.task_id, end);
    return end;
  };
  const reasons = new Map<number, WaitingReason>();
  for (const { taskId, name, others, hosts = [], isUnlisted, by, isHidden } of missing) {
    const lock: WaitingReason['params'] =
      others === undefined ? { lock: name } : { host: name, others, hosts: hosts.join(', ') };
    const shown = isHidden
      ? { ...lock, id: 0, template: '' }
      : { ...lock, id: by.task_id, template: templates.get(by.template_id) ?? '' };
    if (isUnlisted) {
      const { id, template } = shown;
      reasons.set(taskId, { code: 'hosts_unknown_ahead', params: { id, template } });
      continue;
    }
    if (!('start_time' in by)) {
      reasons.set(taskId, { code: others === undefined ? 'lock_ahead' : 'host_ahead', params: shown });
      continue;
    }
    const moments = isHidden
      ? { since: '', expected_end: '' }
      : { since: by.start_time ?? '', expected_end: await endOf(by) };
    reasons.set(taskId, { code: others === undefined ? 'lock_held' : 'host_held', params: { ...shown, ...moments } });
  }
  return reasons;
};
