import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dayText, numberText } from '../../../lang/locale.ts';
import css from './day-chart.module.css';

/** Sizes in pixels. */
const [STEP, BAR, HEIGHT, MIN_HEIGHT] = [8, 5, 28, 3];

interface DayChartProps {
  /** Days as `2026-11-27`, today last. */
  days: readonly string[];
  values: readonly number[];
  /** Text with all numbers, for screen readers. */
  label: string;
}

/** A bar for each day, with the largest number next to it, and the number of the day below the pointer. */
export const DayChart = ({ days, values, label }: DayChartProps) => {
  const { t } = useTranslation();
  const [at, setAt] = useState<number>();
  const most = Math.max(0, ...values);
  const shown = at === undefined ? undefined : days[at];
  return (
    <span className={css.chart}>
      <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} role="img" aria-label={label}>
        {days.map((day, index) => {
          const value = values[index] ?? 0;
          const height = value === 0 ? 1 : Math.max(MIN_HEIGHT, Math.round((value / most) * HEIGHT));
          return (
            <g key={day} onPointerEnter={() => setAt(index)} onPointerLeave={() => setAt(undefined)} data-day={day}>
              <rect className={css.area} x={index * STEP} width={STEP} height={HEIGHT} />
              <rect x={index * STEP} y={HEIGHT - height} width={BAR} height={height} />
            </g>
          );
        })}
      </svg>
      <small className={css.most}>{numberText(most)}</small>
      {shown === undefined || at === undefined ? null : (
        <span className={css.tip} style={{ left: `${((at + 0.5) / days.length) * 100}%` }}>
          {t('overview.onDay', { day: dayText(new Date(`${shown}T12:00`)), number: numberText(values[at] ?? 0) })}
        </span>
      )}
    </span>
  );
};
