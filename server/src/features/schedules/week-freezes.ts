import type { ScheduleBlock, ScheduleWeek } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { type FreezeTarget, freezeAt, freezes } from '../../freeze/freeze.ts';
import { type FrozenTime, timesBetween, timesLookup } from '../../freeze/freeze-times.ts';
import { readLabels, readWindows } from '../../freeze/read-freeze.ts';
import { mapInSlices } from '../../work-slice.ts';

/** Maximum number of times of freeze windows of one answer. */
const MAX_FREEZES = 1000;

/** The freeze windows of a project in a week. */
export interface WeekFreezes {
  readonly times: ScheduleWeek['freezes'];
  /** Returns a function that finds what a window does to the run of a due time in the week. */
  readonly of: (target: Omit<FreezeTarget, 'labels'>) => (due: Date) => ScheduleBlock['freeze'];
}

/** Reads the freeze windows of a project, and computes their times in a week. */
export const readWeekFreezes = async (
  db: StateReader,
  projectId: number,
  week: FrozenTime,
  templateIds: readonly number[],
): Promise<WeekFreezes> => {
  const windows = await readWindows(db, [projectId]);
  if (windows.length === 0) return { times: [], of: () => () => null };
  const labels = await readLabels(db, templateIds);
  const known = new Map(
    await mapInSlices(windows, (window) => [window.id, timesBetween(window, week, MAX_FREEZES)] as const),
  );
  const findTime = timesLookup(known);
  const times = [...known].flatMap(([window_id, ofWindow]) =>
    ofWindow.map(({ from, to }) => ({ window_id, from: from.toISOString(), to: to.toISOString() })),
  );
  return {
    times: times.toSorted((a, b) => (a.from < b.from ? -1 : 1)).slice(0, MAX_FREEZES),
    of: (target) => {
      const ofTarget = { ...target, labels: labels.get(target.templateId) ?? [] };
      const concerned = windows.filter((window) => freezes(window, ofTarget));
      return (due) => {
        const freeze = freezeAt(concerned, due, findTime);
        return freeze ? { window_id: freeze.window.id, until: freeze.until.toISOString(), held: freeze.held } : null;
      };
    },
  };
};
