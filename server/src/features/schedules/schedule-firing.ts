import { FINAL_STATUSES, type LaunchValues, type Message } from '@signalbox/contract';
import type { Updateable } from 'kysely';
import { reasonOf } from '../../audit/reason.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import { lockTemplates } from '../../database/queries/lock-templates.ts';
import { newestBuild } from '../../database/queries/newest-build.ts';
import type { ScheduleTable } from '../../database/schedule.schema.ts';
import { FrozenError } from '../../freeze/frozen-error.ts';
import { ApiError, badField } from '../../http/errors/api-error.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import type { DueDecision, Missed } from './due-decision.ts';
import { claimHeld, freezeRun, NOT_HELD } from './held-runs.ts';
import { dueColumns, labelOf, type ScheduleRow } from './schedule.store.ts';
import { valuesToLaunch } from './schedule-answers.ts';
import { recordProblem, type ScheduleEvent } from './schedule-event.ts';
import { zoneOf } from './timing.ts';

/** A task that a schedule starts. */
export interface ScheduledLaunch {
  readonly projectId: number;
  readonly templateId: number;
  /** The build to deploy; null for other templates. */
  readonly buildTaskId: number | null;
  /** The text that the console shows as the name of the schedule. */
  readonly scheduleName: string;
  readonly scheduleId: number;
  /** The task of the same schedule that must end first; null for none. */
  readonly afterTaskId: number | null;
  readonly values: LaunchValues;
  readonly now: Date;
}

/** A due time at which a schedule could not start its task. */
export interface ScheduleAlert {
  readonly projectId: number;
  readonly templateId: number;
  readonly schedule: { readonly id: number; readonly name: string };
  readonly due: Date;
  readonly reason: Message;
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
  /** Decrypts secret answers. Schedules without any need none. */
  readonly master?: MasterKey;
  readonly launch: (tx: StateTransaction, launch: ScheduledLaunch) => Promise<Task>;
  /** Stores an alert about a due time that could not start its task. */
  readonly alert?: (tx: StateTransaction, alert: ScheduleAlert) => Promise<void>;
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
const buildToDeploy = async (tx: StateTransaction, templateId: number): Promise<number | null> => {
  const build = await newestBuild(tx, templateId);
  if (build === undefined) throw new ApiError('conflict.no_build');
  return build;
};

/**
 * Takes the due times of a schedule for this server. A compare-and-set on the row decides between servers, and fails
 * if the schedule was changed since it was read.
 */
const claimDue = async (
  tx: StateTransaction,
  row: ScheduleRow,
  decision: DueDecision,
  timezone: string,
): Promise<ScheduleRow | undefined> => {
  return await tx
    .updateTable('schedule')
    .set({
      ...dueColumns(decision.next?.toISOString() ?? null, row),
      last_due: decision.handled.toISOString(),
      timezone: zoneOf(row, timezone),
    })
    .where('id', '=', row.id)
    .where('active', '=', 1)
    .where('next_due', '=', row.next_due)
    .where('revision', '=', row.revision)
    .returningAll()
    .executeTakeFirst();
};

/** The newest task of a schedule that has not ended. */
const openTask = async (tx: StateTransaction, scheduleId: number): Promise<number | null> => {
  const task = await tx
    .selectFrom('task')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('status', 'not in', FINAL_STATUSES)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return task?.id ?? null;
};

/** Refuses to run tasks side by side when the template no longer allows it. */
const checkParallel = async (tx: StateTransaction, { overlap, template_id }: ScheduleRow): Promise<void> => {
  if (overlap !== 'parallel') return;
  const { allow_parallel_tasks } = await tx
    .selectFrom('template')
    .select('allow_parallel_tasks')
    .where('id', '=', template_id)
    .executeTakeFirstOrThrow();
  if (allow_parallel_tasks === 0) throw badField('overlap', 'field.not_allowed');
};

/** Starts the task of a due time. */
const start = async <Task>(
  tx: StateTransaction,
  { launch, master }: Firing<Task>,
  row: ScheduleRow,
  open: number | null,
  now: Date,
): Promise<Task> => {
  await checkParallel(tx, row);
  return await launch(tx, {
    projectId: row.project_id,
    templateId: row.template_id,
    buildTaskId: await buildToDeploy(tx, row.template_id),
    scheduleName: labelOf(row),
    scheduleId: row.id,
    afterTaskId: row.overlap === 'queue' ? open : null,
    values: await valuesToLaunch(tx, master, row),
    now,
  });
};

/** Stores that the schedule has no problem any more, and what it has started. */
const recordHandled = (tx: StateTransaction, id: number, values: Updateable<ScheduleTable>) =>
  tx
    .updateTable('schedule')
    .set({ problem_kind: null, problem_params: null, problem_time: null, ...NOT_HELD, ...values })
    .where('id', '=', id)
    .execute();

/** A schedule as it was read, and what to do about its due times or about the run that a freeze window held. */
export interface ScheduleToFire {
  readonly row: ScheduleRow;
  readonly decision: DueDecision;
  readonly isHeld: boolean;
}

/**
 * Handles the due times of a schedule. The task with its event, the missed due times, and the next due time are one
 * transaction, so a due time starts at most one task.
 * @returns the task, if this server has started one
 */
export const fireSchedule = <Task>(
  firing: Firing<Task>,
  { row, decision, isHeld }: ScheduleToFire,
  check: CommitCheck,
  now: Date,
): Promise<Task | undefined> =>
  firing.database.write(async (tx) => {
    const { timezone } = firing;
    await lockTemplates(tx, { template: row.template_id });
    const claimed = isHeld ? await claimHeld(tx, row) : await claimDue(tx, row, decision, timezone);
    if (!claimed) return undefined;
    const { run, missed } = decision;
    const zone = zoneOf(claimed, timezone);
    const alert = async (due: Date, reason: Message): Promise<void> =>
      firing.alert?.(tx, {
        projectId: claimed.project_id,
        templateId: claimed.template_id,
        schedule: { id: claimed.id, name: labelOf(claimed) },
        ...{ due, reason, now },
      });
    if (missed) {
      await recordProblem(tx, claimed, missedEvent(missed, zone), missed.last, now);
      await alert(missed.last, { code: 'reason.no_server' });
    }
    if (!run) return undefined;
    if (check.kind === 'nothing_new') {
      await recordHandled(tx, claimed.id, {});
      return undefined;
    }
    const refuse = async (reason: Message): Promise<void> => {
      const params = { ...localTime(run, zone), reason };
      await recordProblem(tx, claimed, { kind: 'schedule.not_started', params }, run, now);
      await alert(run, reason);
    };
    if (check.kind === 'not_known') {
      await refuse(check.reason);
      return undefined;
    }
    const open = claimed.overlap === null ? null : await openTask(tx, claimed.id);
    if (claimed.overlap === 'skip' && open !== null) {
      const params = { ...localTime(run, zone), id: open };
      await recordProblem(tx, claimed, { kind: 'schedule.skipped', params }, run, now);
      return undefined;
    }
    try {
      const task = await start(tx, firing, claimed, open, now);
      const seen = check.commit === null ? {} : { seen_commit: check.commit };
      await recordHandled(tx, claimed.id, { last_fired: now.toISOString(), ...seen });
      return task;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error instanceof FrozenError) {
        const held = isHeld ? row : claimed;
        await freezeRun(tx, claimed, { before: held, due: run, zone: localTime(run, zone), freeze: error.freeze, now });
        return undefined;
      }
      await refuse(reasonOf(error));
      return undefined;
    }
  });
