import type { Selectable } from 'kysely';
import type { FreezeWindowTable } from '../database/freeze.schema.ts';
import { parseCron } from '../due-times/cron.ts';

export type FreezeWindowRow = Selectable<FreezeWindowTable>;

/** The columns that decide when a window is. */
export type WindowTiming = Pick<
  FreezeWindowRow,
  'starts_at' | 'ends_at' | 'cron_format' | 'duration_seconds' | 'timezone'
>;

/** A time of a window: `to` is the first moment after it. */
export interface FrozenTime {
  readonly from: Date;
  readonly to: Date;
}

/** Finds the time of a window that contains a moment, or else the next one. Undefined after the last one. */
export type FindTime = (window: FreezeWindowRow, moment: Date) => FrozenTime | undefined;

/** The time of a window that contains a moment, or else the next one. Undefined after the last one. */
export const timeAt = (window: WindowTiming, moment: Date): FrozenTime | undefined => {
  if (window.duration_seconds === null) {
    const [from, to] = [new Date(window.starts_at ?? ''), new Date(window.ends_at ?? '')];
    return to > moment ? { from, to } : undefined;
  }
  const length = window.duration_seconds * 1000;
  const from = parseCron(window.cron_format, window.timezone).after(new Date(moment.getTime() - length));
  return from && { from, to: new Date(from.getTime() + length) };
};

/** The times of a window that overlap a span, at most `most`. */
export const timesBetween = (window: WindowTiming, { from, to }: FrozenTime, most: number): FrozenTime[] => {
  const times: FrozenTime[] = [];
  for (let time = timeAt(window, from); time && time.from < to && times.length < most; time = timeAt(window, time.to))
    times.push(time);
  return times;
};

/** The first of some times, which are in order, that ends after a moment. */
const firstAfter = (times: readonly FrozenTime[], moment: Date): FrozenTime | undefined => {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as FrozenTime).to > moment) high = middle;
    else low = middle + 1;
  }
  return times[low];
};

/**
 * Finds the times of windows for many moments, without a computation for each of them.
 * @param known times of the windows by their ids, in order, as `timesBetween` yields them; moments before them are wrong
 */
export const timesLookup = (known: ReadonlyMap<number, readonly FrozenTime[]>): FindTime => {
  const later = new Map<string, FrozenTime | undefined>();
  return (window, moment) => {
    const found = firstAfter(known.get(window.id) ?? [], moment);
    if (found) return found;
    const key = `${window.id} ${moment.getTime()}`;
    if (!later.has(key)) later.set(key, timeAt(window, moment));
    return later.get(key);
  };
};
