import type { Schedule } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { clockFormat, listText, locale, perLocale } from '../../lang/locale.ts';

const HAS_ZONE = /^(?:CRON_)?TZ=\S*\s+/;

const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The numbers of a list such as `1,15` or `MON-FRI`; undefined for other notations. */
const numbersOf = (text: string): number[] | undefined => {
  const numbers: number[] = [];
  for (const item of text.split(',')) {
    const [from = -1, to = from] = item.split('-').map((value) => {
      const name = WEEKDAYS.indexOf(value.toLowerCase());
      return name >= 0 ? name : /^\d{1,2}$/.test(value) ? Number(value) : Number.NaN;
    });
    if (!(from >= 0 && to >= from)) return undefined;
    for (let number = from; number <= to; number++) numbers.push(number);
  }
  return numbers;
};

const step = (text: string): number | undefined => {
  const count = /^\*\/(\d{1,2})$/.exec(text)?.[1];
  return count === undefined ? undefined : Number(count);
};

const SECOND = 1000;

const clocks = perLocale((tag) => new Intl.DateTimeFormat(tag, { ...clockFormat(), timeZone: 'UTC' }));
const ownClocks = perLocale((tag) => new Intl.DateTimeFormat(tag, clockFormat()));
const weekdays = perLocale((tag) => new Intl.DateTimeFormat(tag, { weekday: 'short', timeZone: 'UTC' }));
const distances = perLocale((tag) => new Intl.RelativeTimeFormat(tag));

const clock = (hour: number, minute: number): string => clocks().format(Date.UTC(2000, 0, 1, hour, minute));

/** The name of a weekday, 0 for Sunday. The first of January 2023 was one. */
const weekdayText = (day: number): string => weekdays().format(Date.UTC(2023, 0, 1 + day));

const units = perLocale((tag) => {
  const ofUnit = (unit: string) => new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' });
  return { day: ofUnit('day'), hour: ofUnit('hour'), minute: ofUnit('minute'), second: ofUnit('second') };
});
const unitLists = perLocale((tag) => new Intl.ListFormat(tag, { type: 'unit', style: 'narrow' }));

/** A duration such as `1 hour, 30 minutes` in the chosen language. */
export const longDuration = (seconds: number): string => {
  const parts = [
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor(seconds / 3600) % 24, 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ] as const;
  const texts = parts.filter(([count]) => count > 0).map(([count, unit]) => units()[unit].format(count));
  return unitLists().format(texts);
};

const SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

const UNITS = [
  { length: 86_400, one: 'schedules.everyDay', several: 'schedules.everyDays' },
  { length: 3600, one: 'schedules.everyHour', several: 'schedules.everyHours' },
  { length: 60, one: 'schedules.everyMinute', several: 'schedules.everyMinutes' },
  { length: 1, one: 'schedules.everySecond', several: 'schedules.everySeconds' },
] as const;

/** Larger numbers of one unit are written with several units. */
const MAX_COUNT = 120;

/** An interval, such as `Every hour` or `Every 90 minutes`. */
const everySeconds = (t: TFunction, seconds: number): string => {
  const found = UNITS.find(({ length }) => seconds % length === 0);
  const count = seconds / (found?.length ?? 1);
  if (found && count === 1) return t(found.one);
  if (found && count <= MAX_COUNT) return t(found.several, { count });
  return t('schedules.every', { duration: longDuration(seconds) });
};

const everyText = (t: TFunction, duration: string): string => {
  const parts = [...duration.matchAll(/(\d+)([hms])/g)];
  const seconds = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (SECONDS[unit] ?? 0), 0);
  return everySeconds(t, seconds);
};

const daysText = (t: TFunction, days: readonly number[], times: string): string => {
  const week = [...new Set(days.map((day) => day % 7))].toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
  if (week.length === 7) return t('schedules.daily', { times });
  if (week.join() === '1,2,3,4,5') return t('schedules.weekdays', { times });
  return t('schedules.weekly', { days: listText(week.map(weekdayText)), times });
};

/** The meaning of a common cron; undefined for others. */
const cronMeaning = (t: TFunction, cron: string): string | undefined => {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...rest] = cron.split(/\s+/).filter(Boolean);
  const isAny = (text: string) => text === '*' || text === '?';
  if (rest.length > 0 || !isAny(month)) return undefined;
  const everyDay = isAny(day) && isAny(weekday);
  const everyMinutes = minute === '*' ? 1 : step(minute);
  if (everyDay && isAny(hour) && everyMinutes !== undefined && 60 % everyMinutes === 0)
    return everySeconds(t, everyMinutes * 60);
  const minutes = numbersOf(minute);
  if (minutes?.length !== 1) return undefined;
  const [at = 0] = minutes;
  if (everyDay && isAny(hour)) return t('schedules.hourly', { minute: String(at).padStart(2, '0') });
  const everyHours = step(hour);
  if (everyDay && everyHours !== undefined && 24 % everyHours === 0 && at === 0)
    return everySeconds(t, everyHours * 3600);
  const hours = numbersOf(hour);
  if (hours === undefined || hours.length > 4) return undefined;
  const times = listText(hours.map((one) => clock(one, at)));
  if (everyDay) return t('schedules.daily', { times });
  const [days, weekdays] = [numbersOf(day), numbersOf(weekday)];
  if (isAny(day) && weekdays) return daysText(t, weekdays, times);
  if (isAny(weekday) && days) return t('schedules.monthly', { days: listText(days.map(String)), times });
  return undefined;
};

/** By time zone; undefined for that of the browser. */
const momentsOfZones = perLocale(() => new Map<string | undefined, Intl.DateTimeFormat>());

/** A moment with weekday, date and time in a time zone. */
export const dayAndTime = (at: string | number, timeZone?: string): string => {
  const known = momentsOfZones().get(timeZone);
  const format =
    known ??
    new Intl.DateTimeFormat(locale(), {
      ...{ weekday: 'short', day: 'numeric', month: 'short', ...clockFormat() },
      ...(timeZone === undefined ? {} : { timeZone }),
    });
  if (!known) momentsOfZones().set(timeZone, format);
  return format.format(new Date(at));
};

/** The time of day of a moment. */
export const clockText = (at: string): string => ownClocks().format(new Date(at));

/** The distance of a moment in its largest unit, such as `in 28 minutes`. */
export const distanceText = (at: string, now: number): string => {
  const seconds = Math.round((Date.parse(at) - now) / SECOND);
  const format = distances();
  const [minutes, hours] = [Math.round(seconds / 60), Math.round(seconds / 3600)];
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute');
  if (Math.abs(hours) < 48) return format.format(hours, 'hour');
  return format.format(Math.round(seconds / 86_400), 'day');
};

/** The time zone of the browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The city of a time zone, such as `New York`. */
export const zoneText = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** The time zone in which `whenText` shows a schedule. */
export const shownZone = ({ run_at, timezone }: Pick<Schedule, 'run_at' | 'timezone'>): string =>
  zoneText(run_at === null ? timezone : ownZone());

/**
 * When a schedule is due, as a phrase if its cron is a common one. One moment is in the time zone of the browser, the
 * times of a cron are in that of the schedule.
 */
export const whenText = (
  t: TFunction,
  { cron_format, run_at, interval_seconds }: Pick<Schedule, 'cron_format' | 'run_at' | 'interval_seconds'>,
): string => {
  if (run_at !== null) return t('schedules.once', { time: dayAndTime(run_at) });
  if (interval_seconds !== null) return everySeconds(t, interval_seconds);
  const cron = cron_format.replace(HAS_ZONE, '');
  const every = /^@every\s+(\S+)$/i.exec(cron)?.[1];
  if (every !== undefined) return everyText(t, every);
  return cronMeaning(t, NICKNAMES[cron.toLowerCase()] ?? cron) ?? cron;
};
