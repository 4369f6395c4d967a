import type { Schedule } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { freezeAt, freezes } from '../../freeze/freeze.ts';
import { readLabels, readWindows } from '../../freeze/read-freeze.ts';
import { WorkSlice } from '../../work-slice.ts';
import { type ScheduleRow, startOf } from './schedule.store.ts';
import { type LaunchesById, valuesOf } from './schedule-saved-launch.ts';

/** The moment for which windows are searched: when the next task starts, or now for a run that is held. */
const startToCheck = (row: ScheduleRow, now: Date): Date | undefined => {
  if (row.held_due !== null) return now;
  return row.active === 0 || row.next_due === null ? undefined : startOf(row.next_due, row);
};

/**
 * The freeze windows that hold or skip the next run of schedules, by the id of the schedule.
 * @param launches the saved launches that the schedules name
 */
export const findFreezes = async (
  db: StateReader,
  rows: readonly ScheduleRow[],
  launches: LaunchesById,
  now: Date,
): Promise<ReadonlyMap<number, NonNullable<Schedule['freeze']>>> => {
  const found = new Map<number, NonNullable<Schedule['freeze']>>();
  const windows = await readWindows(db, [...new Set(rows.map(({ project_id }) => project_id))]);
  if (windows.length === 0) return found;
  const templateIds = [...new Set(rows.map(({ template_id }) => template_id))];
  const templates = await db
    .selectFrom('template')
    .select(['id', 'inventory_id'])
    .where('id', 'in', templateIds)
    .execute();
  const inventories = new Map(templates.map(({ id, inventory_id }) => [id, inventory_id]));
  const labels = await readLabels(db, templateIds);
  const ofProject = Map.groupBy(windows, ({ project_id }) => project_id);
  const slice = new WorkSlice();
  for (const row of rows) {
    if (slice.isOver) await slice.next();
    const start = startToCheck(row, now);
    const all = ofProject.get(row.project_id);
    if (!start || !all) continue;
    const target = {
      templateId: row.template_id,
      inventoryId: valuesOf(row, launches).inventory_id ?? inventories.get(row.template_id) ?? null,
      labels: labels.get(row.template_id) ?? [],
    };
    const freeze = freezeAt(
      all.filter((window) => freezes(window, target)),
      start,
    );
    if (!freeze) continue;
    const { id, name, reason } = freeze.window;
    found.set(row.id, { window_id: id, name, reason, until: freeze.until.toISOString(), held: freeze.held });
  }
  return found;
};
