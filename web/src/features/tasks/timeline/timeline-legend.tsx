import { useTranslation } from 'react-i18next';
import { RESULT_LABELS } from '../hosts/result-side.tsx';
import css from './timeline.module.css';

const RESULTS = ['ok', 'changed', 'skipped', 'failed', 'unreachable'] as const;

/** What the colours of the chart mean. */
export const TimelineLegend = () => {
  const { t } = useTranslation();
  return (
    <ul className={css.legend} aria-label={t('timeline.legend')}>
      {RESULTS.map((result) => (
        <li key={result}>
          <i className={css[result]} />
          {t(RESULT_LABELS[result])}
        </li>
      ))}
      <li>
        <i className={css.waits} />
        {t('timeline.waiting')}
      </li>
    </ul>
  );
};
