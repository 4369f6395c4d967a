import type { ComparedStep, StepPair, Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { DialogLink } from '../../../ui/basics/links.tsx';
import table from '../../../ui/lists/table.module.css';
import { durationText } from '../../../ui/time/time.ts';
import { ResultShape } from '../hosts/result-cell.tsx';
import { RESULT_LABELS } from '../hosts/result-side.tsx';
import css from './comparison.module.css';

const KINDS = ['failed', 'unreachable', 'changed', 'ok', 'rescued', 'ignored', 'skipped'] as const;

/** The results of a step in one run, with their numbers, and a link to its log lines. */
const StepCell = ({ task, step }: { task: Task; step: ComparedStep | null }) => {
  const { t } = useTranslation();
  if (step === null) return <span className="faint">{t('compare.noStep')}</span>;
  return (
    <DialogLink className={css.counts} search={{ t: task.id, tab: 'log', line: step.line, with: undefined }}>
      {KINDS.filter((kind) => step.counts[kind] > 0).map((kind) => (
        <span key={kind} title={t(RESULT_LABELS[kind])}>
          <ResultShape result={kind} />
          {numberText(step.counts[kind])}
          <span className="sr"> {t(RESULT_LABELS[kind])}</span>
        </span>
      ))}
      {step.seconds === null ? null : <small>{durationText(step.seconds * 1000)}</small>}
    </DialogLink>
  );
};

interface StepsProps {
  earlier: Task;
  later: Task;
  steps: readonly StepPair[];
}

/** The steps of two runs side by side. */
export const ComparedSteps = ({ earlier, later, steps }: StepsProps) => {
  const { t } = useTranslation();
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
        {steps.map((pair) => (
          <tr
            key={`${pair.earlier?.step ?? '-'} ${pair.later?.step ?? '-'}`}
            className={pair.differs ? css.different : undefined}
          >
            <th scope="row" title={`${pair.play}: ${pair.name} (${pair.action})`}>
              {pair.name}
            </th>
            <td>
              <StepCell task={earlier} step={pair.earlier} />
            </td>
            <td>
              <StepCell task={later} step={pair.later} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
