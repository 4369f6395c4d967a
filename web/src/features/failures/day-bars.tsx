import { useTranslation } from 'react-i18next';
import css from './failures.module.css';

const [HEIGHT, STEP, WIDTH] = [20, 6, 4];

/** In how many tasks a failure was on each of the last days, today on the right. */
export const DayBars = ({ days }: { days: readonly number[] }) => {
  const { t } = useTranslation();
  const most = Math.max(1, ...days);
  const label = t('failures.daysLabel', { counts: days.join(', ') });
  return (
    <svg className={css.days} viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      {days.map((count, day) => {
        const height = count === 0 ? 1 : Math.max(3, Math.round((count / most) * HEIGHT));
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a day has no identity but its position
            key={day}
            className={count === 0 ? css.none : undefined}
            x={day * STEP}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
          />
        );
      })}
    </svg>
  );
};
