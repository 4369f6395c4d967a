import type { Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { durationText } from '../../../ui/time/time.ts';
import { OpenLog } from '../log/open-log.tsx';
import type { HostOutcome, Step } from '../results/run-model.ts';
import css from './hosts.module.css';
import { ResultShape, type ShapeName } from './result-cell.tsx';

export const RESULT_LABELS: Readonly<Record<Exclude<ShapeName, 'none' | 'running'>, string>> = {
  ok: 'host.ok',
  changed: 'host.changed',
  failed: 'host.failed',
  ignored: 'host.ignored',
  skipped: 'host.skipped',
  unreachable: 'host.unreachable',
  rescued: 'host.rescued',
};

export interface ResultSideProps {
  task: Task;
  step: Step;
  outcome: HostOutcome;
  onLine: (line: number) => void;
}

/** The details of one cell. */
export const ResultSide = ({ task, step, outcome, onLine }: ResultSideProps) => {
  const { t } = useTranslation();
  const shape = outcome.rescued ? 'rescued' : outcome.result;
  return (
    <aside className={css.side} aria-label={t('host.result')}>
      <p className="mono muted">{outcome.host}</p>
      <h2>{step.name}</h2>
      <p className={css.result}>
        <ResultShape result={shape} />
        {t(RESULT_LABELS[shape])} <small>{t('host.after', { time: durationText(outcome.at - step.at) })}</small>
      </p>
      {outcome.message === '' ? null : <p className={css.message}>{outcome.message}</p>}
      <dl className={css.values}>
        <dt>{t('host.module')}</dt>
        <dd className="mono">{step.action}</dd>
      </dl>
      <OpenLog task={task} line={outcome.line} onLine={onLine} />
    </aside>
  );
};
