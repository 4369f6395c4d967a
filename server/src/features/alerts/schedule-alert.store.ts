import type { Message } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import type { StateTransaction } from '../../database/database.ts';
import { storeAlert } from './alert.store.ts';
import type { Channels } from './channels/channels.ts';

/** A due time at which a schedule could not start a task. */
export interface ScheduleAlert {
  readonly projectId: number;
  readonly templateId: number;
  readonly schedule: { readonly id: number; readonly name: string };
  readonly due: Date;
  readonly reason: Message;
  readonly now: Date;
}

/** Whether an alert about the same schedule and reason was stored in the last 24 hours. */
const isRepeated = async (tx: StateTransaction, scheduleId: number, reason: string, now: Date): Promise<boolean> => {
  const earlier = await tx
    .selectFrom('alert')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('schedule_reason', '=', reason)
    .where('created', '>', new Date(now.getTime() - DAY_MS).toISOString())
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
};

/**
 * Stores the alerts about a schedule that started no task, in the transaction that handles the due time. Sends nothing.
 * A schedule that fails at each due time for the same reason has one alert a day.
 */
export const writeScheduleAlert = async (
  tx: StateTransaction,
  { projectId, templateId, schedule, due, reason, now }: ScheduleAlert,
  channels: Channels,
): Promise<void> => {
  const key = JSON.stringify(reason);
  if (await isRepeated(tx, schedule.id, key, now)) return;
  const about = { project_id: projectId, template_id: templateId };
  await storeAlert(tx, channels, about, now.toISOString(), async (project) => {
    const template = await tx
      .selectFrom('template')
      .select(['id', 'name', 'type'])
      .where('id', '=', templateId)
      .executeTakeFirstOrThrow();
    const input = { project, template, not_started: { schedule, due: due.toISOString(), reason } };
    return { task_id: null, schedule_id: schedule.id, schedule_reason: key, input };
  });
};
