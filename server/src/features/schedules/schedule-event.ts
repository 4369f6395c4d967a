import type { EventKind, EventMessage, EventParams } from '@signalbox/contract';
import { recordEvent, SYSTEM } from '../../audit/record-event.ts';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { labelOf, type ScheduleRow } from './schedule.store.ts';

const templateName = async (db: StateReader, templateId: number): Promise<string> =>
  (await db.selectFrom('template').select('name').where('id', '=', templateId).executeTakeFirstOrThrow()).name;

type NamedByRow = 'name' | 'template';
/** An event of a schedule without the names of schedule and template. */
export type ScheduleEvent = {
  [Kind in EventKind & `schedule.${string}`]: NamedByRow extends keyof EventParams<Kind>
    ? { readonly kind: Kind; readonly params: Omit<EventParams<Kind>, NamedByRow> }
    : never;
}[EventKind & `schedule.${string}`];

/** Records what the system did for a schedule, or why it did nothing. */
export const recordScheduleEvent = async (
  tx: StateTransaction,
  row: ScheduleRow,
  { kind, params }: ScheduleEvent,
  at: Date,
): Promise<EventMessage> => {
  const names = { name: labelOf(row), template: await templateName(tx, row.template_id) };
  const event = { kind, params: { ...names, ...params } } as EventMessage;
  await recordEvent(tx, {
    ...event,
    actor: SYSTEM,
    projectId: row.project_id,
    objectType: 'schedule',
    objectId: row.id,
    objectName: labelOf(row),
    at,
  });
  return event;
};

/**
 * Records why a due time started no task, and stores it with the schedule until a later one starts a task.
 * @param due the due time
 */
export const recordProblem = async (
  tx: StateTransaction,
  row: ScheduleRow,
  problem: ScheduleEvent,
  due: Date,
  at: Date,
): Promise<void> => {
  const { kind, params } = await recordScheduleEvent(tx, row, problem, at);
  await tx
    .updateTable('schedule')
    .set({ problem_kind: kind, problem_params: JSON.stringify(params), problem_time: due.toISOString() })
    .where('id', '=', row.id)
    .execute();
};
