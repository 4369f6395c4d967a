import type { Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { CompareOffer } from './comparison/compare-offer.tsx';
import { SinceSuccess } from './comparison/since-success.tsx';
import { EndReasonNotice } from './end-reason/end-reason-notice.tsx';
import { FailureClusters } from './failures/failure-clusters.tsx';
import type { LogSource } from './log/log-source.ts';
import {
  badHostCount,
  badOutcomes,
  countResults,
  hasHostResults,
  hostCount,
  isLoaded,
  type Run,
} from './results/run-model.ts';
import css from './summary.module.css';

export interface SummaryProps {
  task: Task;
  run: Run;
  log: LogSource;
  onLine: (line: number) => void;
  onCompare: () => void;
  /** Opens the new task dialog for some hosts. Undefined for a task that still runs. */
  onRunOn: ((limit: string) => void) | undefined;
}

/** Why a task failed, and what differs from the last success. */
export const Summary = ({ task, run, log, onLine, onCompare, onRunOn }: SummaryProps) => {
  const { t } = useTranslation();
  const { long } = run;
  const counts = countResults(run.steps.flatMap((step) => badOutcomes(run, step)));
  const { failed = 0, unreachable = 0 } = long ? long.hosts : counts;
  return (
    <div className={css.split}>
      <div className={css.failures}>
        <CompareOffer task={task} onCompare={onCompare} />
        {isLoaded(run) && badHostCount(run) === 0 ? (
          <EndReasonNotice task={task} hasResults={hasHostResults(run)} log={log} onLine={onLine} />
        ) : null}
        {/* They are stored with the task, so they are also there when the results cannot be read. */}
        <FailureClusters task={task} run={run} log={log} onLine={onLine} onRunOn={onRunOn} />
      </div>
      <aside className={css.side} aria-label={t('summary.side')}>
        <SinceSuccess task={task} />
        {isLoaded(run) && hostCount(run) > 0 ? (
          <>
            <h2>{t('task.tabHosts')}</h2>
            <dl className={css.counts}>
              <dt>{t('summary.finished')}</dt>
              <dd>{hostCount(run) - badHostCount(run)}</dd>
              <dt>{t('summary.failedHosts')}</dt>
              <dd className={failed > 0 ? css.red : undefined}>{failed}</dd>
              <dt>{t('summary.unreachableHosts')}</dt>
              <dd className={unreachable > 0 ? css.red : undefined}>{unreachable}</dd>
            </dl>
          </>
        ) : null}
      </aside>
    </div>
  );
};
