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
