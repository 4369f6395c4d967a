import type { HostResult } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import css from './hosts.module.css';
import { ResultShape } from './result-cell.tsx';
import { RESULT_LABELS } from './result-side.tsx';

const LEGEND: readonly HostResult[] = ['ok', 'changed', 'skipped', 'failed', 'unreachable'];

/** The legend of the matrix, with other content above the matrix. */
export const Legend = ({ children }: { children?: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <ul className={css.legend}>
      {LEGEND.map((result) => (
        <li key={result}>
          <ResultShape result={result} />
          {t(RESULT_LABELS[result])}
        </li>
      ))}
      <li>
        <ResultShape result="none" />
        {t('host.none')}
      </li>
      {children ? <li className={css.tools}>{children}</li> : null}
    </ul>
  );
};
