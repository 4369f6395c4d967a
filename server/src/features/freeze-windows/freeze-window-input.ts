import type { NewFreezeWindow } from '@signalbox/contract';
import type { z } from 'zod';
import { checkCron } from '../../due-times/check-cron.ts';
import { isZone, namesZone, parseCron } from '../../due-times/cron.ts';
import { nextTimes } from '../../due-times/due-times.ts';
import { badField } from '../../http/errors/api-error.ts';

export type FreezeWindowInput = z.output<typeof NewFreezeWindow>;

/** Number of begins of a window between which the shortest time is searched, for its longest duration. */
const BEGINS = 20;

const checkTarget = ({ template_id, inventory_id, label_id }: FreezeWindowInput): void => {
  const given = Object.entries({ template_id, inventory_id, label_id }).filter(([, id]) => id !== null);
  const [first, second] = given.map(([name]) => name);
  if (first !== undefined && second !== undefined) throw badField(second, 'field.combined', { other: first });
};

const checkOnce = ({ starts_at, ends_at, duration_seconds }: FreezeWindowInput, now: Date, isNew: boolean): void => {
  if (starts_at === null) throw badField('starts_at', 'field.required');
  if (ends_at === null) throw badField('ends_at', 'field.required');
  if (duration_seconds !== null) throw badField('duration_seconds', 'field.combined', { other: 'starts_at' });
  if (ends_at <= starts_at) throw badField('ends_at', 'field.after', { other: 'starts_at' });
  if (isNew && Date.parse(ends_at) <= now.getTime()) throw badField('ends_at', 'field.future');
};

const checkRepeating = (input: FreezeWindowInput, zone: string, now: Date): void => {
  const { cron_format, duration_seconds, starts_at, ends_at } = input;
  if (starts_at !== null) throw badField('starts_at', 'field.combined', { other: 'cron_format' });
  if (ends_at !== null) throw badField('ends_at', 'field.combined', { other: 'cron_format' });
  if (duration_seconds === null) throw badField('duration_seconds', 'field.required');
  checkCron(cron_format, zone);
  const begins = nextTimes(parseCron(cron_format, zone), now, BEGINS).map((begin) => begin.getTime());
  const gaps = begins.slice(1).map((begin, n) => (begin - (begins[n] ?? 0)) / 1000);
  // A window that begins again before it has ended would never end.
  const shortest = Math.min(...gaps);
  if (duration_seconds >= shortest) throw badField('duration_seconds', 'field.too_big', { max: shortest - 1 });
};

/** The time zone of a window: that of its cron, or its own, or else that of the server. */
const zoneOf = ({ cron_format, timezone }: FreezeWindowInput, serverZone: string): string => {
  if (timezone !== '' && !isZone(timezone)) throw badField('timezone', 'field.time_zone');
  const own = timezone || serverZone;
  if (!namesZone(cron_format)) return own;
  checkCron(cron_format, own);
  const named = parseCron(cron_format, own).timezone;
  if (timezone !== '' && timezone !== named) throw badField('timezone', 'field.zone_in_cron');
  return named;
};

/**
 * Checks the values of a freeze window that do not refer to other objects.
 * @param isNew whether its time is new, so that it must end in the future
 * @returns the values with the time zone of the window
 * @throws bad_input naming the field
 */
export const checkWindow = (
  input: FreezeWindowInput,
  serverZone: string,
  now: Date,
  isNew: boolean,
): FreezeWindowInput => {
  checkTarget(input);
  const timezone = zoneOf(input, serverZone);
  if (input.cron_format === '') checkOnce(input, now, isNew);
  else checkRepeating(input, timezone, now);
  return { ...input, timezone };
};
