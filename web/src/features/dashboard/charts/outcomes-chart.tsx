import type { TaskStatistics } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { statusStyle } from '../../../ui/tasks/status.ts';
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
  const labels = KINDS.map((kind) => t(statusStyle(kind).labelKey));
  const end = roundUp(Math.max(...days.map(({ success, error, stopped }) => success + error + stopped)));
  return (
    <figure className={css.figure}>
      <figcaption>
        {t('charts.outcomes')}
        <span className={css.keys}>
          {KINDS.map((kind, at) => (
            <span key={kind} className={css[kind]}>
              {labels[at]} {numberText(days.reduce((sum, day) => sum + day[kind], 0))}
            </span>
          ))}
        </span>
      </figcaption>
      <DayChart
        days={days.map(({ day }) => day)}
        end={end}
        format={numberText}
        draw={({ x, width, y }) =>
          days.map((day, index) => {
            let below = 0;
            return KINDS.map((kind) => {
              const from = below;
              below += day[kind];
              return day[kind] === 0 ? null : (
                <rect
                  key={`${day.day}-${kind}`}
                  className={css[kind]}
                  x={x(index)}
                  width={width}
                  y={y(below)}
                  height={Math.max(1, y(from) - y(below) - (from > 0 ? 1 : 0))}
                >
                  <title>{`${dayText(day.day)}: ${t(statusStyle(kind).labelKey)} ${numberText(day[kind])}`}</title>
                </rect>
              );
            });
          })
        }
      />
      <DayTable
        caption={t('charts.outcomes')}
        labels={labels}
        rows={days.map((day) => ({ day: day.day, cells: KINDS.map((kind) => numberText(day[kind])) }))}
      />
    </figure>
  );
};
