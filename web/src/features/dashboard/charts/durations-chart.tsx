import type { TaskStatistics } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { durationText } from '../../../ui/time/time.ts';
import { roundUpDuration } from './axis.ts';
import { DayTable } from './chart-table.tsx';
import css from './charts.module.css';
import { DayChart, dayText } from './day-chart.tsx';

const format = (seconds: number): string => durationText(seconds * 1000);

/** The median duration of the successful tasks of each day. */
export const DurationsChart = ({ days }: { days: TaskStatistics['days'] }) => {
  const { t } = useTranslation();
  const known = days.flatMap(({ day, seconds }, index) => (seconds === null ? [] : [{ day, seconds, index }]));
  const newest = known.at(-1);
  if (!newest) return null;
  return (
    <figure className={css.figure}>
      <figcaption>
        {t('charts.durations')}
        <span className={css.keys}>
          <span>{t('charts.lately', { duration: format(newest.seconds) })}</span>
        </span>
      </figcaption>
      <DayChart
        days={days.map(({ day }) => day)}
        end={roundUpDuration(Math.max(...known.map(({ seconds }) => seconds)))}
        format={format}
        draw={({ x, width, y }) => (
          <>
            <polyline
              className={css.line}
              points={known.map(({ seconds, index }) => `${x(index) + width / 2},${y(seconds)}`).join(' ')}
            />
            {known.map(({ day, seconds, index }) => (
              <circle key={day} className={css.dot} cx={x(index) + width / 2} cy={y(seconds)} r={2.5}>
                <title>{`${dayText(day)}: ${format(seconds)}`}</title>
              </circle>
            ))}
          </>
        )}
      />
      <DayTable
        caption={t('charts.durations')}
        labels={[t('column.duration')]}
        rows={known.map(({ day, seconds }) => ({ day, cells: [format(seconds)] }))}
      />
    </figure>
  );
};
