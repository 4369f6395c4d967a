import { useTranslation } from 'react-i18next';
import { durationText } from '../../ui/time/time.ts';
import css from './times.module.css';

const WIDTH = 96;
const HEIGHT = 20;

/** The times of a step in the newest runs as a line. Runs without the step are left out. */
export const Trend = ({ values }: { values: readonly (number | null)[] }) => {
  const { t } = useTranslation();
  const known = values.flatMap((ms, at) => (ms === null ? [] : [{ ms, at }]));
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || known.length < 2) return null;
  const most = Math.max(1, ...known.map(({ ms }) => ms));
  const x = (at: number): number => 1 + (at / Math.max(1, values.length - 1)) * (WIDTH - 2);
  const y = (ms: number): number => HEIGHT - 1 - (ms / most) * (HEIGHT - 2);
  const text = t('times.trendOf', { first: durationText(first.ms), last: durationText(last.ms) });
  return (
    <svg className={css.trend} width={WIDTH} height={HEIGHT} role="img" aria-label={text}>
      <title>{text}</title>
      <polyline points={known.map(({ ms, at }) => `${x(at)},${y(ms)}`).join(' ')} />
    </svg>
  );
};
