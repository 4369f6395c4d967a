import { useTranslation } from 'react-i18next';
import { ResultShape } from '../hosts/result-cell.tsx';
import { RESULT_LABELS } from '../hosts/result-side.tsx';
import css from './timeline.module.css';

const RESULTS = ['ok', 'changed', 'skipped', 'ignored', 'rescued', 'failed', 'unreachable'] as const;

/** What the colours and shapes of the chart mean: the shapes are those of the matrix. */
export const TimelineLegend = () => {
  const { t } = useTranslation();
  return (
    <ul className={css.legend} aria-label={t('timeline.legend')}>
      {RESULTS.map((result) => (
        <li key={result}>
          <i className={css[result]}>
            <ResultShape result={result} />
          </i>
          {t(RESULT_LABELS[result])}
        </li>
      ))}
      <li>
        <i className={css.waits} />
        {t('timeline.waiting')}
      </li>
      <li>
        <i className={css.out} />
        {t('timeline.out')}
      </li>
    </ul>
  );
};
