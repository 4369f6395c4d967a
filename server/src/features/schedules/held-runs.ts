import type { StateTransaction } from '../../database/database.ts';
import type { Freeze } from '../../freeze/freeze.ts';
import { type DuePlan, LATE_MS } from './due-plan.ts';
import type { ScheduleRow } from './schedule.store.ts';
import { recordProblem, recordScheduleEvent } from './schedule-event.ts';

/** The columns of a schedule that holds no run. */
export const NOT_HELD = { held_due: null, held_until: null } as const;

/** A schedule whose freeze window has ended. */
export type HeldRow = ScheduleRow & { readonly held_due: string; readonly held_until: string };

/** Plans a held run at `now`, after its freeze window: like a due time, it starts only up to 5 minutes late. */
export const planHeld = (row: HeldRow, now: Date): DuePlan => {
  const due = new Date(row.held_due);
  const isLate = now.getTime() - Date.parse(row.held_until) > LATE_MS;
  return {
    run: isLate ? undefined : due,
    missed: isLate ? { count: 1, more: false, last: due } : undefined,
    handled: due,
    next: undefined,
  };
};

/** Takes a held run for this server. A compare-and-set decides between servers. */
export const claimHeld = (tx: StateTransaction, row: ScheduleRow): Promise<ScheduleRow | undefined> =>
  tx
    .updateTable('schedule')
    .set(NOT_HELD)
    .where('id', '=', row.id)
    .where('active', '=', 1)
    .where('held_due', '=', row.held_due)
    .where('held_until', '=', row.held_until)
    .where('revision', '=', row.revision)
    .returningAll()
    .executeTakeFirst();

interface FrozenRun {
  /** The schedule before this due time was handled. */
  readonly before: ScheduleRow;
  readonly due: Date;
  readonly zone: { readonly time: string; readonly zone: string };
  readonly freeze: Freeze;
  readonly now: Date;
}

/** Holds or skips the run of a due time, as the freeze window demands. Due times while a run is held are part of that run. */
export const freezeRun = async (
  tx: StateTransaction,
  row: ScheduleRow,
  { before, due, zone, freeze, now }: FrozenRun,
): Promise<void> => {
  const params = { ...zone, window: freeze.window.name };
  if (!freeze.held) {
    await recordProblem(tx, row, { kind: 'schedule.skipped_by_freeze', params }, due, now);
    return;
  }
  if (before.held_due === null) await recordScheduleEvent(tx, row, { kind: 'schedule.held_by_freeze', params }, now);
  await tx
    .updateTable('schedule')
    .set({ held_due: before.held_due ?? due.toISOString(), held_until: freeze.until.toISOString() })
    .where('id', '=', row.id)
    .execute();
};

/** Checks held runs of a project again soon, because its freeze windows have changed. */
export const recheckHeldRuns = async (tx: StateTransaction, projectId: number, now: Date): Promise<void> => {
  await tx
    .updateTable('schedule')
    .set({ held_until: now.toISOString() })
    .where('project_id', '=', projectId)
    .where('held_until', '>', now.toISOString())
    .execute();
};
