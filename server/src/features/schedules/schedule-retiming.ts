import type { Database } from '../../database/database.ts';
import { CLOCK_STEP_MS } from './due-plan.ts';
import { dueColumns, dueFrom, type ScheduleRow } from './schedule.store.ts';
import { recordScheduleEvent, type ScheduleEvent } from './schedule-event.ts';
import { followsServerZone, timingOf, zoneOf } from './timing.ts';

/** Computes the next due time of a schedule again and records an event, unless the row has changed since it was read. */
const recomputeDueTime = (
  database: Database,
  row: ScheduleRow,
  timezone: string,
  now: Date,
  event: ScheduleEvent,
): Promise<void> =>
  database.write(async (tx) => {
    const lastDue =
      row.last_due !== null && Date.parse(row.last_due) - now.getTime() > CLOCK_STEP_MS ? null : row.last_due;
    const changed = await tx
      .updateTable('schedule')
      .set({
        ...dueColumns(dueFrom(timingOf(row, timezone), now, lastDue), row),
        last_due: lastDue,
        timezone: zoneOf(row, timezone),
      })
      .where('id', '=', row.id)
      .where('active', '=', 1)
      .where('revision', '=', row.revision)
      .where('next_due', '=', row.next_due)
      .returningAll()
      .executeTakeFirst();
    if (changed) await recordScheduleEvent(tx, changed, event, now);
  });

/**
 * Called when the time zone setting was changed. Computes all future due times in the new zone, except of
 * schedules with a time zone of their own.
 */
export const applyTimeZone = async (database: Database, timezone: string, now: Date): Promise<void> => {
  const rows = await database.read
    .selectFrom('schedule')
    .selectAll()
    .where('active', '=', 1)
    .where('timezone', '<>', timezone)
    .where('next_due', '>', now.toISOString())
    .execute();
  for (const row of rows.filter(followsServerZone))
    await recomputeDueTime(database, row, timezone, now, {
      kind: 'schedule.zone_changed',
      params: { zone: timezone, old_zone: row.timezone },
    });
};

/**
 * Called after the clock was wrong by more than the tolerated step and was corrected. A schedule whose last handled due time is
 * in the future would not run until that time, so its due times start again from now.
 */
export const resetAfterClockError = async (database: Database, timezone: string, now: Date): Promise<void> => {
  const rows = await database.read
    .selectFrom('schedule')
    .selectAll()
    .where('last_due', '>', new Date(now.getTime() + CLOCK_STEP_MS).toISOString())
    .where('active', '=', 1)
    .where('next_due', 'is not', null)
    .execute();
  for (const row of rows)
    await recomputeDueTime(database, row, timezone, now, { kind: 'schedule.clock_reset', params: {} });
};
