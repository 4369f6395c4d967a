import type { Schedule } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import type { StateReader } from '../../database/database.ts';
import { freezeAt, freezes } from '../../freeze/freeze.ts';
import { timesBetween, timesLookup } from '../../freeze/freeze-times.ts';
import { readLabels, readWindows } from '../../freeze/read-freeze.ts';
import { mapInSlices } from '../../work-slice.ts';
import type { ScheduleRow } from './schedule.store.ts';
import { type LaunchesById, valuesOf } from './schedule-saved-launch.ts';

/** The times of windows in this time from now are computed once for all schedules, at most this many of each window. */
const COMPUTED_MS = 31 * DAY_MS;
const COMPUTED_TIMES = 200;

/** Finds the freeze window that holds or skips a run at a moment, which is not before now. */
export type FreezeFinder = (start: Date) => Schedule['freeze'];

/**
 * Reads the freeze windows of schedules.
 * @param launches the saved launches that the schedules name
 * @returns a function that makes the finder of a schedule
 */
export const readFreezes = async (
  db: StateReader,
  rows: readonly ScheduleRow[],
  launches: LaunchesById,
  now: Date,
): Promise<(row: ScheduleRow) => FreezeFinder> => {
  const windows = await readWindows(db, [...new Set(rows.map(({ project_id }) => project_id))]);
  if (windows.length === 0) return () => () => null;
  const templateIds = [...new Set(rows.map(({ template_id }) => template_id))];
  const templates = await db
    .selectFrom('template')
    .select(['id', 'inventory_id'])
    .where('id', 'in', templateIds)
    .execute();
  const inventories = new Map(templates.map(({ id, inventory_id }) => [id, inventory_id]));
  const labels = await readLabels(db, templateIds);
  const ofProject = Map.groupBy(windows, ({ project_id }) => project_id);
  const span = { from: now, to: new Date(now.getTime() + COMPUTED_MS) };
  const times = await mapInSlices(
    windows,
    (window) => [window.id, timesBetween(window, span, COMPUTED_TIMES)] as const,
  );
  const findTime = timesLookup(new Map(times));
  return (row) => {
    const target = {
      templateId: row.template_id,
      inventoryId: valuesOf(row, launches).inventory_id ?? inventories.get(row.template_id) ?? null,
      labels: labels.get(row.template_id) ?? [],
    };
    const concerned = (ofProject.get(row.project_id) ?? []).filter((window) => freezes(window, target));
    return (start) => {
      const freeze = freezeAt(concerned, start, findTime);
      if (!freeze) return null;
      const { id, name, reason } = freeze.window;
      return { window_id: id, name, reason, until: freeze.until.toISOString(), held: freeze.held };
    };
  };
};
