import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { MATRIX_RESULTS, type MatrixResult } from '../../../ui/tasks/matrix-url.ts';
import { ResultShape, type ShapeName } from '../hosts/result-cell.tsx';
import css from './matrix.module.css';

const SHAPES: Readonly<Partial<Record<MatrixResult, ShapeName>>> = {
  failed: 'failed',
  unreachable: 'unreachable',
  running: 'running',
  changed: 'changed',
};

const CHIPS: Readonly<Record<MatrixResult, string>> = {
  failed: 'matrix.chip.failed',
  unreachable: 'matrix.chip.unreachable',
  running: 'matrix.chip.running',
  changed: 'matrix.chip.changed',
  slow: 'matrix.chip.slow',
};

export interface MatrixToolsProps {
  total: number;
  counts: Readonly<Record<MatrixResult, number>>;
  chosen: MatrixResult | undefined;
  onChoose: (result: MatrixResult | undefined) => void;
  /** Undefined where hosts are always folded. */
  foldsAlike: boolean | undefined;
  onFoldAlike: (folds: boolean) => void;
  /** Undefined for a run without roles. */
  foldsRoles: boolean | undefined;
  onFoldRoles: (folds: boolean) => void;
  children: ReactNode;
}

/** The hosts by result as filters with their numbers, and what is folded. */
export const MatrixTools = (props: MatrixToolsProps) => {
  const { total, counts, chosen, onChoose, foldsAlike, onFoldAlike, foldsRoles, onFoldRoles, children } = props;
  const { t } = useTranslation();
  return (
    <div className={css.tools}>
      <fieldset className={css.chips} aria-label={t('matrix.filters')}>
        <button type="button" aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
          <b>{numberText(total)}</b> {t('matrix.hosts', { count: total })}
        </button>
        {MATRIX_RESULTS.filter((result) => counts[result] > 0 || result === chosen).map((result) => {
          const shape = SHAPES[result];
          return (
            <button
              key={result}
              type="button"
              aria-pressed={chosen === result}
              title={result === 'slow' ? t('matrix.slowHelp') : undefined}
              onClick={() => onChoose(chosen === result ? undefined : result)}
            >
              {shape ? <ResultShape result={shape} /> : null}
              <b>{numberText(counts[result])}</b> {t(CHIPS[result])}
            </button>
          );
        })}
      </fieldset>
      <div className={css.folds}>
        {children}
        {foldsAlike === undefined ? null : (
          <Checkbox
            label={t('matrix.foldAlike')}
            checked={foldsAlike}
            onChange={(event) => onFoldAlike(event.currentTarget.checked)}
          />
        )}
        {foldsRoles === undefined ? null : (
          <Checkbox
            label={t('matrix.foldRoles')}
            checked={foldsRoles}
            onChange={(event) => onFoldRoles(event.currentTarget.checked)}
          />
        )}
      </div>
    </div>
  );
};
