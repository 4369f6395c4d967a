import type { Message } from '@signalbox/contract';
import type { Updateable } from 'kysely';
import type { Database, StateTransaction } from '../../database/database.ts';
import { lockTemplates } from '../../database/queries/lock-templates.ts';
import type { ScheduleTable } from '../../database/schedule.schema.ts';
import type { DuePlan, Missed } from './due-plan.ts';
import { claimHeld, freezeRun, NOT_HELD } from './held-runs.ts';
import { dueColumns, labelOf, type ScheduleRow } from './schedule.store.ts';
import { recordProblem, type ScheduleEvent } from './schedule-event.ts';
import { type DueOutcome, type StartCheck, type Starting, startIfPossible } from './schedule-start.ts';
import { zoneOf } from './timing.ts';

/** A due time at which a schedule could not start its task. */
export interface ScheduleAlert {
  readonly projectId: number;
  readonly templateId: number;
  readonly schedule: { readonly id: number; readonly name: string };
  readonly due: Date;
  readonly reason: Message;
  readonly now: Date;
}

export interface Firing<Task> extends Starting<Task> {
  readonly database: Database;
  readonly timezone: string;
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

/**
 * Takes the due times of a schedule for this server. A compare-and-set on the row decides between servers, and fails
 * if the schedule was changed since it was read.
 */
const claimDue = async (
  tx: StateTransaction,
  row: ScheduleRow,
  plan: DuePlan,
  timezone: string,
): Promise<ScheduleRow | undefined> => {
  return await tx
    .updateTable('schedule')
    .set({
      ...dueColumns(plan.next?.toISOString() ?? null, row),
      last_due: plan.handled.toISOString(),
      timezone: zoneOf(row, timezone),
    })
    .where('id', '=', row.id)
    .where('active', '=', 1)
    .where('next_due', '=', row.next_due)
    .where('revision', '=', row.revision)
    .returningAll()
    .executeTakeFirst();
};

const alertOf = (row: ScheduleRow, due: Date, reason: Message, now: Date): ScheduleAlert => ({
  projectId: row.project_id,
  templateId: row.template_id,
  schedule: { id: row.id, name: labelOf(row) },
  due,
  reason,
  now,
});

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
  readonly plan: DuePlan;
  readonly isHeld: boolean;
}

/** A due time that this server handles. */
interface ClaimedDue {
  readonly row: ScheduleRow;
  /** The schedule with the run that it held before this due time. */
  readonly before: ScheduleRow;
  readonly due: Date;
  /** The time zone of the schedule. */
  readonly zone: string;
  readonly now: Date;
}

/** Stores what came of a due time. */
const record = async <Task>(
  tx: StateTransaction,
  { alert }: Firing<Task>,
  { row, before, due, zone, now }: ClaimedDue,
  outcome: DueOutcome<Task>,
): Promise<void> => {
  const time = localTime(due, zone);
  switch (outcome.kind) {
    case 'started': {
      const seen = outcome.commit === null ? {} : { seen_commit: outcome.commit };
      await recordHandled(tx, row.id, { last_fired: now.toISOString(), ...seen });
      return;
    }
    case 'nothing_new':
      await recordHandled(tx, row.id, {});
      return;
    case 'skipped':
      await recordProblem(tx, row, { kind: 'schedule.skipped', params: { ...time, id: outcome.openTask } }, due, now);
      return;
    case 'frozen':
      await freezeRun(tx, row, { before, due, zone: time, freeze: outcome.freeze, now });
      return;
    case 'refused': {
      const { reason } = outcome;
      await recordProblem(tx, row, { kind: 'schedule.not_started', params: { ...time, reason } }, due, now);
      await alert?.(tx, alertOf(row, due, reason, now));
    }
  }
};

/**
 * Handles the due times of a schedule. The task with its event, the missed due times, and the next due time are one
 * transaction, so a due time starts at most one task.
 * @returns the task, if this server has started one
 */
export const fireSchedule = <Task>(
  firing: Firing<Task>,
  { row, plan, isHeld }: ScheduleToFire,
  check: StartCheck,
  now: Date,
): Promise<Task | undefined> =>
  firing.database.write(async (tx) => {
    await lockTemplates(tx, { template: row.template_id });
    const claimed = isHeld ? await claimHeld(tx, row) : await claimDue(tx, row, plan, firing.timezone);
    if (!claimed) return undefined;
    const { run, missed } = plan;
    const zone = zoneOf(claimed, firing.timezone);
    if (missed) {
      await recordProblem(tx, claimed, missedEvent(missed, zone), missed.last, now);
      await firing.alert?.(tx, alertOf(claimed, missed.last, { code: 'reason.no_server' }, now));
    }
    if (!run) return undefined;
    const outcome = await startIfPossible(tx, firing, claimed, check, now);
    const before = isHeld ? row : claimed;
    await record(tx, firing, { row: claimed, before, due: run, zone, now }, outcome);
    return outcome.kind === 'started' ? outcome.task : undefined;
  });
