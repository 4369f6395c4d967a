import type { ComparedStep, StepPair, Task } from '@signalbox/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { Icon } from '../../../ui/basics/icon.tsx';
import { DialogLink } from '../../../ui/basics/links.tsx';
import table from '../../../ui/lists/table.module.css';
import { durationText } from '../../../ui/time/time.ts';
import { ResultShape } from '../hosts/result-cell.tsx';
import { RESULT_LABELS } from '../hosts/result-side.tsx';
import css from './comparison.module.css';
import { foldSteps } from './folded-steps.ts';

const KINDS = ['failed', 'unreachable', 'changed', 'ok', 'rescued', 'ignored', 'skipped'] as const;

/** The results of a step in one run, with their numbers, and a link to its log lines. */
const StepCell = ({ task, step }: { task: Task; step: ComparedStep | null }) => {
  const { t } = useTranslation();
  if (step === null) return <span className="faint">{t('compare.noStep')}</span>;
  const results = (
    <>
      {KINDS.filter((kind) => step.counts[kind] > 0).map((kind) => (
        <span key={kind} title={t(RESULT_LABELS[kind])}>
          <ResultShape result={kind} />
          {numberText(step.counts[kind])}
          <span className="sr"> {t(RESULT_LABELS[kind])}</span>
        </span>
      ))}
      {step.seconds === null ? null : <small>{durationText(step.seconds * 1000)}</small>}
    </>
  );
  if (task.log_removed) return <span className={css.counts}>{results}</span>;
  return (
    <DialogLink
      className={css.counts}
      search={{ t: task.id, tab: 'log', line: step.line, find: undefined, with: undefined }}
    >
      {results}
    </DialogLink>
  );
};

interface StepsProps {
  earlier: Task;
  later: Task;
  steps: readonly StepPair[];
  /** Name of the step that is highlighted and scrolled to. */
  shown?: string | undefined;
}

interface RowProps extends Omit<StepsProps, 'steps'> {
  pair: StepPair;
}

const StepRow = ({ earlier, later, pair, shown }: RowProps) => {
  const { t } = useTranslation();
  const isShown = pair.name === shown;
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isShown) row.current?.scrollIntoView({ block: 'center' });
  }, [isShown]);
  const style = pair.differs || pair.slower ? css.different : undefined;
  return (
    <tr ref={row} className={isShown ? css.shown : style} aria-current={isShown || undefined}>
      <th scope="row" title={`${pair.play}: ${pair.name} (${pair.action})`}>
        {pair.name}
      </th>
      <td>
        <StepCell task={earlier} step={pair.earlier} />
      </td>
      <td>
        <StepCell task={later} step={pair.later} />
        {pair.slower ? <span className={css.slower}> {t('compare.slower')}</span> : null}
      </td>
    </tr>
  );
};

interface FoldedProps extends Omit<StepsProps, 'steps'> {
  pairs: readonly StepPair[];
  /** Id of the task without these steps. */
  missing: number;
}

/** Steps in a row that one run does not have, as one row that opens. */
const FoldedRows = ({ pairs, missing, ...props }: FoldedProps) => {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(pairs.some(({ name }) => name === props.shown));
  return (
    <>
      <tr className={css.different}>
        <th scope="row" colSpan={3}>
          <button type="button" className={css.folded} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            <Icon name={isOpen ? 'down' : 'next'} />
            {t('compare.notInRun', { count: pairs.length, number: numberText(pairs.length), id: missing })}
          </button>
        </th>
      </tr>
      {isOpen ? pairs.map((pair) => <StepRow key={keyOf(pair)} pair={pair} {...props} />) : null}
    </>
  );
};

const keyOf = ({ earlier, later }: StepPair): string => `${earlier?.step ?? '-'} ${later?.step ?? '-'}`;

/** The steps of two runs side by side. */
export const ComparedSteps = ({ steps, ...props }: StepsProps) => {
  const { t } = useTranslation();
  const { earlier, later } = props;
  return (
    <table className={`${table.table} ${css.steps}`} aria-label={t('compare.steps')}>
      <thead>
        <tr>
          <th scope="col">{t('compare.step')}</th>
          <th scope="col">#{earlier.id}</th>
          <th scope="col">#{later.id}</th>
        </tr>
      </thead>
      <tbody>
        {foldSteps(steps).map((row) =>
          'pair' in row ? (
            <StepRow key={keyOf(row.pair)} pair={row.pair} {...props} />
          ) : (
            <FoldedRows
              key={row.pairs.map(keyOf)[0]}
              pairs={row.pairs}
              missing={row.missingIn === 'earlier' ? earlier.id : later.id}
              {...props}
            />
          ),
        )}
      </tbody>
    </table>
  );
};
