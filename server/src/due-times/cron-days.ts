import { DAY_MS } from '@signalbox/contract/limits';
import { zoneOffsets } from './zone-offsets.ts';

const MINUTE_MS = 60_000;

/** Days that are searched. For rarer days, such as 29 February, the slow path is used. */
const MAX_DAYS = 400;

/** The values of the five fields of a cron. */
export interface CronFields {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
}

/**
 * Finds due times by calculating with days whose offset from UTC does not change. That is about a hundred times faster
 * than asking for the local time of each candidate.
 * @param slow finds the first due time after a moment in every case; called for days near a clock change
 * @returns the first due time after a moment, in milliseconds since 1970
 */
export const fastCron = (
  fields: CronFields,
  zone: string,
  slow: (moment: number) => number | undefined,
): ((moment: number) => number | undefined) => {
  const offsets = zoneOffsets(zone);
  const [days, months, weekdays] = [new Set(fields.days), new Set(fields.months), new Set(fields.weekdays)];
  const [anyDay, anyWeekday] = [days.size === 31, weekdays.size === 7];
  const times = fields.hours.flatMap((hour) => fields.minutes.map((minute) => (hour * 60 + minute) * MINUTE_MS));

  /** If both days are restricted, one of them has to match. */
  const isDue = (day: number): boolean => {
    const date = new Date(day * DAY_MS);
    if (!months.has(date.getUTCMonth() + 1)) return false;
    const [ofMonth, ofWeek] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    return anyDay || anyWeekday ? ofMonth && ofWeek : ofMonth || ofWeek;
  };

  return (moment) => {
    const utcDay = Math.floor(moment / DAY_MS);
    const offset = offsets.around(utcDay);
    if (offset === undefined) return slow(moment);
    const local = moment + offset;
    const today = Math.floor(local / DAY_MS);
    for (let day = today; day < today + MAX_DAYS; day++) {
      const begin = day * DAY_MS;
      const ofDay = offsets.around(day);
      // The day may have a clock change, or the clocks have changed since the moment.
      if (ofDay !== offset) return slow(Math.max(moment, begin - offset - DAY_MS));
      if (!isDue(day)) continue;
      const time = day === today ? times.find((one) => begin + one > local) : times[0];
      if (time !== undefined) return begin + time - offset;
    }
    return slow(moment);
  };
};
