import { useTranslation } from 'react-i18next';
import { ResultShape } from '../hosts/result-cell.tsx';
import css from './matrix.module.css';
import { letterText, shapeOf } from './matrix-texts.ts';

const LETTERS = 'ocsirfua.';

/** What the icons of the matrix mean. */
export const MatrixLegend = () => {
  const { t } = useTranslation();
  return (
    <ul className={css.legend} aria-label={t('matrix.legend')}>
      {[...LETTERS].map((letter) => (
        <li key={letter}>
          <ResultShape result={shapeOf(letter)} />
          {letterText(t, letter)}
        </li>
      ))}
      <li>{t('matrix.elsewhereLegend')}</li>
    </ul>
  );
};
