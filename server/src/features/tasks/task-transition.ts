import { isFinal, type LifecycleEvent, type TaskFailure } from '@signalbox/contract';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { State } from '../../database/database.ts';
import type { StateSchema, TaskTable } from '../../database/schema.ts';
import { transitionsOf } from './task.lifecycle.ts';

export type TaskRow = Selectable<TaskTable>;

/**
 * Lets an event happen to a task: one compare-and-set on status and, where given, on the epoch of the lease.
 * @param failure why the task failed, when the event makes it fail
 * @returns the task as it is now, or undefined where the event came too late or from an old lease.
 */
export const applyEvent = async (
  db: State,
  taskId: number,
  event: LifecycleEvent,
  now: Date,
  epoch?: number,
  failure?: TaskFailure,
): Promise<TaskRow | undefined> => {
  const moves = transitionsOf(event);
  const starts = moves.filter(([, to]) => to === 'starting').map(([from]) => from);
  const ends = moves.filter(([, to]) => isFinal(to)).map(([from]) => from);
  const stamp = now.toISOString();
  // Somebody may have set the clock back: nothing ends before it began.
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
      ...(failure === undefined ? {} : { failure: JSON.stringify(failure) }),
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
  return await query.returningAll().executeTakeFirst();
};
