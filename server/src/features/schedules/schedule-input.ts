import type { NewSchedule } from '@signalbox/contract';
import type { z } from 'zod';
import { checkCron } from '../../due-times/check-cron.ts';
import { isZone, namesZone } from '../../due-times/cron.ts';
import { type DueTimes, nextTimes } from '../../due-times/due-times.ts';
import { badField } from '../../http/errors/api-error.ts';
import { firstDue } from './due-plan.ts';
import { timingOf, typeOf } from './timing.ts';

export type ScheduleInput = Omit<z.output<typeof NewSchedule>, 'type'>;

/** A schedule as a request gives it, with the kind of its due times, which other fields decide. */
export type GivenSchedule = z.output<typeof NewSchedule>;

/** Number of due times between which the shortest time is searched, for the longest delay. */
const GAPS = 20;

/** The field of each kind. */
const FIELD_OF = { cron: 'cron_format', run_at: 'run_at', interval: 'interval_seconds' } as const;

/** @throws bad_input unless exactly one field decides when the schedule is due, and `type` names it */
const checkKind = (input: GivenSchedule): void => {
  const { type, cron_format, run_at, interval_seconds } = input;
  const [first, second] = [
    ...(cron_format === '' ? [] : ['cron_format']),
    ...(run_at === null ? [] : ['run_at']),
    ...(interval_seconds === null ? [] : ['interval_seconds']),
  ];
  if (first === undefined) {
    // Without any of them, the error is that of an empty cron.
    if (type && type !== 'cron') throw badField(FIELD_OF[type], 'field.required');
    return;
  }
  if (second !== undefined) throw badField(second, 'field.combined', { other: first });
  if (type && type !== typeOf(input)) throw badField('type', 'field.differs', { other: first });
};

const checkZone = ({ own_timezone, cron_format }: ScheduleInput): void => {
  if (own_timezone === null) return;
  if (!isZone(own_timezone)) throw badField('own_timezone', 'field.time_zone');
  if (namesZone(cron_format)) throw badField('own_timezone', 'field.zone_in_cron');
};

/** A delay must end before the next due time. */
const checkJitter = (jitter: number, timing: DueTimes, now: Date): void => {
  if (jitter === 0) return;
  const times = nextTimes(timing, now, GAPS).map((due) => due.getTime());
  const gaps = times.slice(1).map((due, n) => due - (times[n] ?? 0));
  const shortest = Math.min(...gaps);
  if (jitter * 1000 >= shortest)
    throw badField('jitter_seconds', 'field.too_big', { max: Math.ceil(shortest / 1000) - 1 });
};

/**
 * Checks the values of a schedule that do not refer to other objects.
 * @param isNew whether the due times are new, so that there must be one in the future
 * @throws bad_input naming the field
 */
export const checkTiming = (input: GivenSchedule, timezone: string, now: Date, isNew: boolean): void => {
  checkKind(input);
  checkZone(input);
  if (typeOf(input) === 'cron') checkCron(input.cron_format, timezone);
  const { starts_at, ends_at, run_at } = input;
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at)
    throw badField('ends_at', 'field.after', { other: 'starts_at' });
  const timing = timingOf(input, timezone);
  if (isNew && firstDue(timing, now, null) === undefined) {
    if (run_at !== null && Date.parse(run_at) <= now.getTime()) throw badField('run_at', 'field.future');
    throw badField(ends_at === null ? 'starts_at' : 'ends_at', 'field.no_due_time');
  }
  checkJitter(input.jitter_seconds, timing, now);
};
