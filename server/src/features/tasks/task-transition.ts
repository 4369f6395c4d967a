import { type EndReason, type EndReasonCode, isFinal, type LifecycleEvent } from '@signalbox/contract';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { State } from '../../database/database.ts';
import type { StateSchema } from '../../database/schema.ts';
import type { TaskTable } from '../../database/task.schema.ts';
import { transitionsOf } from './task.lifecycle.ts';

export type TaskRow = Selectable<TaskTable>;

const IS_STOP = sql<boolean>`end_reason like 'stop.%'`;

/** A stopped task keeps the reason that was stored when a user stopped it. Without one, its runner has stopped it. */
const STOPPED = {
  end_reason: sql<EndReasonCode>`case when ${IS_STOP} then end_reason else 'stop.runner' end`,
  end_params: sql<string>`case when ${IS_STOP} then end_params else '{}' end`,
};

/** The end reason after an event. An end without a reason clears that of an earlier stop. */
const reasonAfter = (event: LifecycleEvent, reason: EndReason | undefined) => {
  if (reason) return { end_reason: reason.code, end_params: JSON.stringify(reason.params) };
  if (event === 'stopped') return STOPPED;
  return transitionsOf(event).some(([, to]) => isFinal(to)) ? { end_reason: null, end_params: null } : {};
};

/**
 * Applies an event to a task: a compare-and-set on the status and, if given, on the epoch of the lease. The end deletes
 * its secret answers and its locks.
 * @param reason why the event ends the task or lets it be stopped
 * @returns the task after the event; undefined when the event came too late or from an old lease
 */
export const applyEvent = async (
  db: State,
  taskId: number,
  event: LifecycleEvent,
  now: Date,
  epoch?: number,
  reason?: EndReason,
): Promise<TaskRow | undefined> => {
  const moves = transitionsOf(event);
  const starts = moves.filter(([, to]) => to === 'starting').map(([from]) => from);
  const ends = moves.filter(([, to]) => isFinal(to)).map(([from]) => from);
  const stamp = now.toISOString();
  // The clock may have been set back. A task must not end before it began.
  const notBefore = (floor: ReturnType<typeof sql<string>>) =>
    sql<string>`case when ${floor} > ${stamp} then ${floor} else ${stamp} end`;
  const floors = {
    start_time: notBefore(sql<string>`created`),
    end_time: notBefore(sql<string>`coalesce(start_time, created)`),
  };
  const once =
    (from: readonly string[], column: 'start_time' | 'end_time') => (eb: ExpressionBuilder<StateSchema, 'task'>) =>
      from.length === 0
        ? eb.ref(column)
        : eb
            .case()
            .when('status', 'in', from as TaskRow['status'][])
            .then(floors[column])
            .else(eb.ref(column))
            .end();
  const target = sql<TaskRow['status']>`case status ${sql.join(
    moves.map(([from, to]) => sql`when ${from} then ${to}`),
    sql` `,
  )} end`;
  let query = db
    .updateTable('task')
    .set((eb) => ({
      status: target,
      ...(event === 'force_stop' ? { stop_forced: 1 as const } : {}),
      ...reasonAfter(event, reason),
      start_time: once(starts, 'start_time')(eb) as never,
      end_time: once(ends, 'end_time')(eb) as never,
    }))
    .where('id', '=', taskId)
    .where(
      'status',
      'in',
      moves.map(([from]) => from),
    );
  if (epoch !== undefined) query = query.where('epoch', '=', epoch);
  const task = await query.returningAll().executeTakeFirst();
  if (task && isFinal(task.status)) {
    await db.deleteFrom('task_secret').where('task_id', '=', task.id).execute();
    if (task.lock_hosts === 1) await db.deleteFrom('task_hosts').where('task_id', '=', task.id).execute();
    if (task.locks !== '[]') await db.deleteFrom('task_lock').where('task_id', '=', task.id).execute();
  }
  return task;
};
