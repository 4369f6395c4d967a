import { type FindTime, type FreezeWindowRow, timeAt } from './freeze-times.ts';

/** What a window must freeze to concern a task. */
export interface FreezeTarget {
  readonly templateId: number;
  readonly inventoryId: number | null;
  /** Ids of the labels of the template. */
  readonly labels: readonly number[];
}

/** Why tasks are not started at a moment. */
export interface Freeze {
  /** The window that ends last of those at that moment, or one that skips. */
  readonly window: FreezeWindowRow;
  /** When this time of the window began. A window that repeats has many. */
  readonly from: Date;
  /** The first moment at which tasks may start again. */
  readonly until: Date;
  /** Whether a schedule holds its run until then, instead of skipping it. */
  readonly held: boolean;
}

/** Number of windows in a row after which the search for their end stops. The run is checked again at that moment. */
const MAX_IN_A_ROW = 20;

/** Whether a window concerns tasks of a target. */
export const freezes = (
  { template_id, inventory_id, label_id }: Pick<FreezeWindowRow, 'template_id' | 'inventory_id' | 'label_id'>,
  { templateId, inventoryId, labels }: FreezeTarget,
): boolean => {
  if (template_id !== null) return template_id === templateId;
  if (inventory_id !== null) return inventory_id === inventoryId;
  return label_id === null || labels.includes(label_id);
};

const activeAt = (windows: readonly FreezeWindowRow[], moment: Date, findTime: FindTime) =>
  windows
    .flatMap((window) => {
      const time = findTime(window, moment);
      return time && time.from <= moment ? [{ window, ...time }] : [];
    })
    .toSorted((a, b) => b.to.getTime() - a.to.getTime());

/** The end of all windows that follow each other without a gap. */
const endOf = (windows: readonly FreezeWindowRow[], first: Date, findTime: FindTime): Date => {
  let end = first;
  for (let n = 0; n < MAX_IN_A_ROW; n++) {
    const next = activeAt(windows, end, findTime)[0]?.to;
    if (!next) return end;
    end = next;
  }
  return end;
};

/**
 * The freeze of a target at a moment; undefined if tasks may start.
 * @param windows those that concern the target
 * @param findTime finds the times of windows; those of many moments are found faster by `timesLookup`
 */
export const freezeAt = (
  windows: readonly FreezeWindowRow[],
  moment: Date,
  findTime: FindTime = timeAt,
): Freeze | undefined => {
  const active = activeAt(windows, moment, findTime);
  const [last] = active;
  if (!last) return undefined;
  // A window that skips counts more than others that would start the run later.
  const skipping = active.find(({ window }) => window.scheduled_runs === 'skip');
  const { window, from } = skipping ?? last;
  return { window, from, until: endOf(windows, last.to, findTime), held: skipping === undefined };
};
