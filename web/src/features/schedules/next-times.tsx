import type { Schedule } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { freezeText } from '../../ui/time/freeze-text.ts';
import { dayAndTime, ownZone, zoneText } from '../../ui/time/when-text.ts';
import css from './schedules.module.css';

/** The offset of a time zone from UTC at a moment, as text such as `GMT+2`. */
const offsetText = (at: string, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat('en', { timeZoneName: 'longOffset', ...(timeZone === undefined ? {} : { timeZone }) })
    .formatToParts(new Date(at))
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** The next due times of a schedule in its time zone and in that of the reader. Names changes of the clocks between them. */
export const NextTimes = ({ schedule }: { schedule: Schedule }) => {
  const { active, next_times, next_freezes, timezone } = schedule;
  const { t } = useTranslation();
  if (next_times.length === 0) return <p className="muted">{t(active ? 'schedules.noNext' : 'schedule.paused')}</p>;
  const own = ownZone();
  return (
    <ol className={css.times} aria-label={t('schedules.nextFive')}>
      {next_times.map((at, n) => {
        const before = next_times[n - 1];
        const freeze = next_freezes[n];
        const changes = (zone: string) => before !== undefined && offsetText(at, zone) !== offsetText(before, zone);
        return (
          <li key={at}>
            <b>{dayAndTime(at, timezone)}</b>
            <span>{t('schedules.inZone', { zone: zoneText(timezone) })}</span>
            {own === timezone ? null : <span>{t('schedules.forYou', { time: dayAndTime(at) })}</span>}
            {freeze ? <em title={freeze.reason}>{freezeText(t, freeze, freeze.name)}</em> : null}
            {changes(timezone) ? (
              <em>{t('schedules.clockChange', { zone: zoneText(timezone) })}</em>
            ) : changes(own) ? (
              <em>{t('schedules.clockChange', { zone: zoneText(own) })}</em>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
};
