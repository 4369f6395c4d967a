import type { TaskStatistics } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { statusLook } from '../../../ui/tasks/status.ts';
import { roundUp } from './axis.ts';
import { DayTable } from './chart-table.tsx';
import css from './charts.module.css';
import { DayChart, dayText } from './day-chart.tsx';

/** Stacking order, from the bottom. */
const KINDS = ['success', 'error', 'stopped'] as const;

type Days = TaskStatistics['days'];

/** How many tasks of each day succeeded, failed or were stopped. */
export const OutcomesChart = ({ days }: { days: Days }) => {
  const { t } = useTranslation();
  const words = KINDS.map((kind) => t(statusLook(kind).word));
  const end = roundUp(Math.max(...days.map(({ success, error, stopped }) => success + error + stopped)));
  return (
    <figure className={css.figure}>
      <figcaption>
        {t('charts.outcomes')}
        <span className={css.keys}>
          {KINDS.map((kind, at) => (
            <span key={kind} className={css[kind]}>
              {words[at]} {numberText(days.reduce((sum, day) => sum + day[kind], 0))}
            </span>
          ))}
        </span>
      </figcaption>
      <DayChart
        days={days.map(({ day }) => day)}
        end={end}
        say={numberText}
        draw={({ x, width, y }) =>
          days.map((day, place) => {
            let below = 0;
            return KINDS.map((kind) => {
              const from = below;
              below += day[kind];
              return day[kind] === 0 ? null : (
                <rect
                  key={`${day.day}-${kind}`}
                  className={css[kind]}
                  x={x(place)}
                  width={width}
                  y={y(below)}
                  height={Math.max(1, y(from) - y(below) - (from > 0 ? 1 : 0))}
                >
                  <title>{`${dayText(day.day)}: ${t(statusLook(kind).word)} ${numberText(day[kind])}`}</title>
                </rect>
              );
            });
          })
        }
      />
      <DayTable
        caption={t('charts.outcomes')}
        words={words}
        rows={days.map((day) => ({ day: day.day, cells: KINDS.map((kind) => numberText(day[kind])) }))}
      />
    </figure>
  );
};
