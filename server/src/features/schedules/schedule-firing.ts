import type { Message } from '@signalbox/contract';
import { reasonOf } from '../../audit/reason.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import type { DueDecision, Missed } from './due-decision.ts';
import { labelOf, recordScheduleEvent, type ScheduleEvent, type ScheduleRow, zoneOf } from './schedule.store.ts';

/** A task that a schedule starts. */
export interface ScheduledLaunch {
  readonly projectId: number;
  readonly templateId: number;
  /** The build to deploy; null for other templates. */
  readonly buildTaskId: number | null;
  /** The text that the console shows as the name of the schedule. */
  readonly scheduleName: string;
  readonly scheduleId: number;
  readonly now: Date;
}

/** Result of the check for a new commit. A schedule without a repository always starts. */
export type CommitCheck =
  | { readonly kind: 'start'; readonly commit: string | null }
  | { readonly kind: 'nothing_new' }
  | { readonly kind: 'not_known'; readonly reason: Message };

export interface Firing<Task> {
  readonly database: Database;
  readonly timezone: string;
  readonly launch: (tx: StateTransaction, launch: ScheduledLaunch) => Promise<Task>;
}

/** The local time in a time zone. */
const localTime = (moment: Date, zone: string) => ({
  time: moment.toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }),
  zone,
});

const missedEvent = ({ count, more, last }: Missed, zone: string): ScheduleEvent => {
  const params = localTime(last, zone);
  if (more) return { kind: 'schedule.missed_more', params: { ...params, count } };
  if (count > 1) return { kind: 'schedule.missed_several', params: { ...params, count } };
  return { kind: 'schedule.missed', params };
};

/** A deploy uses the newest successful build. */
const newestBuild = async (tx: StateTransaction, templateId: number): Promise<number | null> => {
  const template = await tx
    .selectFrom('template')
    .select(['type', 'build_template_id'])
    .where('id', '=', templateId)
    .executeTakeFirst();
  if (template?.type !== 'deploy') return null;
  const build = await tx
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', template.build_template_id)
    .where('status', '=', 'success')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!build) throw new ApiError('conflict.no_build');
  return build.id;
};

/**
 * Claims the due times of a schedule for this server. A compare-and-set on the row decides between servers, and fails
 * if the schedule was changed since it was read.
 */
const claim = async (
  tx: StateTransaction,
  row: ScheduleRow,
  decision: DueDecision,
  timezone: string,
): Promise<ScheduleRow | undefined> => {
  // Every launch and deletion locks the template first. Another order could deadlock.
  await tx
    .updateTable('template')
    .set((eb) => ({ launches: eb.ref('launches') }))
    .where('id', '=', row.template_id)
    .execute();
  return await tx
    .updateTable('schedule')
    .set({
      next_due: decision.next?.toISOString() ?? null,
      last_due: decision.handled.toISOString(),
      timezone: zoneOf(row, timezone),
    })
    .where('id', '=', row.id)
    .where('active', '=', 1)
    .where('next_due', '=', row.next_due)
    .where('cron_format', '=', row.cron_format)
    .where('template_id', '=', row.template_id)
    .where('repository_id', row.repository_id === null ? 'is' : '=', row.repository_id)
    .returningAll()
    .executeTakeFirst();
};

/**
 * Handles the due times of a schedule. The task with its event, the missed due times, and the next due time are one
 * transaction, so a due time starts at most one task.
 * @returns the task, if this server has started one
 */
export const fireSchedule = <Task>(
  { database, timezone, launch }: Firing<Task>,
  row: ScheduleRow,
  decision: DueDecision,
  check: CommitCheck,
  now: Date,
): Promise<Task | undefined> =>
  database.write(async (tx) => {
    const claimed = await claim(tx, row, decision, timezone);
    if (!claimed) return undefined;
    const { run, missed } = decision;
    if (missed) await recordScheduleEvent(tx, claimed, missedEvent(missed, zoneOf(claimed, timezone)), now);
    if (!run || check.kind === 'nothing_new') return undefined;
    const refuse = (reason: Message): Promise<void> => {
      const params = { ...localTime(run, zoneOf(claimed, timezone)), reason };
      return recordScheduleEvent(tx, claimed, { kind: 'schedule.not_started', params }, now);
    };
    if (check.kind === 'not_known') {
      await refuse(check.reason);
      return undefined;
    }
    try {
      const task = await launch(tx, {
        projectId: claimed.project_id,
        templateId: claimed.template_id,
        buildTaskId: await newestBuild(tx, claimed.template_id),
        scheduleName: labelOf(claimed),
        scheduleId: claimed.id,
        now,
      });
      await tx
        .updateTable('schedule')
        .set({ last_fired: now.toISOString(), ...(check.commit === null ? {} : { seen_commit: check.commit }) })
        .where('id', '=', claimed.id)
        .execute();
      return task;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await refuse(reasonOf(error));
      return undefined;
    }
  });
