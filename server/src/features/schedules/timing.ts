import type { ScheduleType } from '@signalbox/contract';
import { namesZone, parseCron } from '../../due-times/cron.ts';
import { type DueTimes, everySeconds } from '../../due-times/due-times.ts';

/** The columns that decide when a schedule is due. */
export interface TimingInput {
  readonly cron_format: string;
  readonly run_at: string | null;
  readonly interval_seconds: number | null;
  readonly own_timezone: string | null;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
}

/** Which column decides when a schedule is due. */
export const typeOf = ({
  run_at,
  interval_seconds,
}: Pick<TimingInput, 'run_at' | 'interval_seconds'>): ScheduleType => {
  if (run_at !== null) return 'run_at';
  return interval_seconds === null ? 'cron' : 'interval';
};

/** The time zone of a schedule: that of its cron, or its own, or else that of the server. */
export const zoneOf = (
  { cron_format, own_timezone }: Pick<TimingInput, 'cron_format' | 'own_timezone'>,
  serverZone: string,
): string => (namesZone(cron_format) ? parseCron(cron_format, serverZone).timezone : (own_timezone ?? serverZone));

/** Whether a change of the time zone of the server changes the due times of a schedule. */
export const followsServerZone = ({ cron_format, own_timezone }: TimingInput): boolean =>
  cron_format !== '' && own_timezone === null && !namesZone(cron_format);

const millisecondsOf = (text: string | null, otherwise: number): number =>
  text === null ? otherwise : Date.parse(text);

const once = (at: number): Pick<DueTimes, 'after'> => ({
  after: (moment) => (moment.getTime() < at ? new Date(at) : undefined),
});

/**
 * The due times of a schedule: those of its cron, its interval or its only moment, from its start to its end.
 * @throws CronError when the cron is invalid
 */
export const timingOf = (input: TimingInput, serverZone: string): DueTimes => {
  const timezone = zoneOf(input, serverZone);
  const { run_at, interval_seconds, cron_format } = input;
  const [from, to] = [
    millisecondsOf(input.starts_at, Number.NEGATIVE_INFINITY),
    millisecondsOf(input.ends_at, Number.POSITIVE_INFINITY),
  ];
  const due =
    run_at !== null
      ? once(Date.parse(run_at))
      : interval_seconds === null
        ? parseCron(cron_format, timezone)
        : everySeconds(interval_seconds, millisecondsOf(input.starts_at, 0));
  return {
    timezone,
    after: (moment) => {
      const next = due.after(moment.getTime() < from ? new Date(from - 1) : moment);
      return next === undefined || next.getTime() > to ? undefined : next;
    },
  };
};
