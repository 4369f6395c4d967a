import type { CronMessage, CronMessageArguments } from '@signalbox/contract';
import { Cron as CronExpression } from 'croner';
import { english } from '../http/errors/english.ts';
import { type CronFields, fastCron } from './cron-days.ts';
import { type DueTimes, everySeconds } from './due-times.ts';

/** What is wrong with a cron. Its message is the English text. */
export class CronError extends Error {
  override readonly name = 'CronError';
  readonly reason: CronMessage;

  constructor(...[code, params]: CronMessageArguments) {
    const reason = { code, params } as CronMessage;
    super(english(reason));
    this.reason = reason;
  }
}

type FieldName = `cron_field.${'minute' | 'hour' | 'day' | 'month' | 'weekday'}`;

interface Field {
  readonly name: FieldName;
  readonly min: number;
  readonly max: number;
  /** Names for its values, the first being `min`. */
  readonly parts?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MINUTE: Field = { name: 'cron_field.minute', min: 0, max: 59 };
const HOUR: Field = { name: 'cron_field.hour', min: 0, max: 23 };
const DAY: Field = { name: 'cron_field.day', min: 1, max: 31 };
const MONTH: Field = { name: 'cron_field.month', min: 1, max: 12, parts: MONTHS };
/** Sunday is 0 and 7. */
const WEEKDAY: Field = { name: 'cron_field.weekday', min: 0, max: 7, parts: WEEKDAYS };

const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);

/** Extensions of other programs that are not supported: last day of a month, nearest weekday, nth weekday. */
const EXTENSION = /#|^(\d+|[a-z]{3})?l$|^(\d+|l)w$/i;

const oneValue = (text: string, { name, min, max, parts = [] }: Field): number => {
  const part = parts.indexOf(text.toLowerCase());
  if (part >= 0) return min + part;
  if (/^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  const field = { code: name };
  if (text === '') throw new CronError('cron.empty_value', { field, min, max });
  const example = parts[1]?.toUpperCase();
  if (example === undefined) throw new CronError('cron.value', { field, min, max, text });
  throw new CronError('cron.named_value', { field, min, max, example, text });
};

/** Values of one item of a field: a value, a range or `*`, with an optional step. */
const valuesOf = (item: string, field: Field): number[] => {
  const { min, max } = field;
  const at = { field: { code: field.name }, item };
  if (EXTENSION.test(item)) throw new CronError('cron.extension', at);
  const [range = '', step, ...more] = item.replace(/^\?/, '*').split('/');
  const [first = '', last, ...others] = range.split('-');
  if (more.length > 0 || others.length > 0 || (first === '*' && last !== undefined)) {
    throw new CronError('cron.item', at);
  }
  const from = first === '*' ? min : oneValue(first, field);
  // A step without an end continues to the highest value: `5/15` is `5-59/15`.
  const single = step === undefined ? from : max;
  const to = first === '*' ? max : last === undefined ? single : oneValue(last, field);
  if (from > to) throw new CronError('cron.range', at);
  if (step === undefined) return Array.from({ length: to - from + 1 }, (_, n) => from + n);
  if (!/^\d{1,4}$/.test(step) || Number(step) < 1 || Number(step) > max) {
    throw new CronError('cron.step', { ...at, max });
  }
  const every = Number(step);
  return Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, n) => from + n * every);
};

const listOf = (text: string, field: Field): number[] =>
  [...new Set(text.split(',').flatMap((item) => valuesOf(item, field)))].toSorted((a, b) => a - b);

const listOrAll = (list: readonly number[], all: number): string => (list.length === all ? '*' : list.join(','));

/** The values of all fields of a cron. */
const fieldsOf = (text: string): CronFields => {
  const nickname = NICKNAMES.get(text.toLowerCase());
  if (text.startsWith('@') && nickname === undefined) {
    throw new CronError('cron.nickname', { text, names: [...NICKNAMES.keys(), '@every'].join(', ') });
  }
  const fields = (nickname ?? text).split(/\s+/).filter((field) => field !== '');
  const [minute, hour, day, month, weekday] = fields;
  if (!minute || !hour || !day || !month || !weekday || fields.length !== 5) {
    if (fields.length === 6) throw new CronError('cron.seconds');
    throw new CronError('cron.fields', { number: fields.length });
  }
  return {
    minutes: listOf(minute, MINUTE),
    hours: listOf(hour, HOUR),
    days: listOf(day, DAY),
    months: listOf(month, MONTH),
    weekdays: [...new Set(listOf(weekday, WEEKDAY).map((value) => value % 7))],
  };
};

/**
 * Returns a cron with all values written out. Due times at a clock change must depend on the meaning of a cron
 * and not on its notation: a cron with every hour follows elapsed time, every other one follows the local time.
 */
const normalForm = ({ minutes, hours, days, months, weekdays }: CronFields): string =>
  [minutes.join(','), listOrAll(hours, 24), listOrAll(days, 31), listOrAll(months, 12), listOrAll(weekdays, 7)].join(
    ' ',
  );

const HAS_ZONE = /^(?:CRON_)?TZ=(\S*)\s+(.*)$/s;

/** Whether a name is that of a time zone. */
export const isZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
};

/** Whether a cron names its own time zone. */
export const namesZone = (text: string): boolean => HAS_ZONE.test(text.trim());

const SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };
const MIN_INTERVAL_SECONDS = 60;
const MAX_INTERVAL_SECONDS = 366 * 86_400;

/** Parses a duration such as `1h30m`, in seconds; undefined for other text. */
const secondsOf = (duration: string): number | undefined => {
  if (!/^(?:\d{1,6}[hms])+$/.test(duration)) return undefined;
  return [...duration.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, n, unit = '']) => sum + Number(n) * (SECONDS[unit] ?? 0),
    0,
  );
};

/** Due at multiples of a duration since 1970. */
const everyCron = (duration: string, timezone: string): DueTimes => {
  const seconds = secondsOf(duration);
  if (duration === '') throw new CronError('cron.every');
  if (seconds === undefined) throw new CronError('cron.every_not', { duration });
  if (seconds < MIN_INTERVAL_SECONDS || seconds > MAX_INTERVAL_SECONDS) throw new CronError('cron.every_range');
  return { timezone, ...everySeconds(seconds, 0) };
};

const readCron = (text: string, serverZone: string): DueTimes => {
  const [, ownZone, rest = ''] = HAS_ZONE.exec(text.trim()) ?? [undefined, undefined, text.trim()];
  if (ownZone !== undefined && !isZone(ownZone)) throw new CronError('cron.zone', { zone: ownZone || 'CRON_TZ' });
  const timezone = ownZone ?? serverZone;
  const every = /^@every(?:\s+(.*))?$/is.exec(rest);
  if (every) return everyCron((every[1] ?? '').trim(), timezone);
  const fields = fieldsOf(rest);
  let expression: CronExpression | undefined;
  const slow = (moment: number): number | undefined => {
    expression ??= new CronExpression(normalForm(fields), {
      timezone,
      mode: '5-part',
      fixedTimeRule: 'no-wildcard',
      paused: true,
    });
    return expression.nextRun(new Date(moment))?.getTime();
  };
  const next = fastCron(fields, timezone, slow);
  const after = (moment: Date): Date | undefined => {
    const due = next(moment.getTime());
    return due === undefined ? undefined : new Date(due);
  };
  if (!after(new Date(0))) throw new CronError('cron.never');
  return { timezone, after };
};

/** Parsed crons by zone and text, because the same schedules are read again and again. */
const PARSED = new Map<string, DueTimes>();

/** Maximum number of remembered crons. */
const MAX_PARSED = 4000;

/**
 * Parses a cron of five fields, a nickname such as @daily, or @every with a duration. A prefix CRON_TZ= sets its time
 * zone.
 * @param serverZone IANA name of the time zone for a cron that names none
 * @throws CronError when the cron is invalid, or never due
 */
export const parseCron = (text: string, serverZone: string): DueTimes => {
  const key = `${serverZone} ${text}`;
  const known = PARSED.get(key);
  if (known) return known;
  const cron = readCron(text, serverZone);
  if (PARSED.size >= MAX_PARSED) PARSED.clear();
  PARSED.set(key, cron);
  return cron;
};
