import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { taskFailuresQuery } from '../../api/run-queries.ts';
import { Button } from '../../ui/basics/button.tsx';
import { StatusIcon } from '../../ui/tasks/status-icon.tsx';
import { SinceSuccess } from './comparison/since-success.tsx';
import { copyText } from './copy-text.ts';
import { EndReasonNotice } from './end-reason/end-reason-notice.tsx';
import { type Failure, failuresAmong, failuresOf } from './failures.ts';
import { LogExcerpt } from './log/log-excerpt.tsx';
import type { LogSource } from './log/log-source.ts';
import { badHostCount, badOutcomes, countResults, hostCount, isLoaded, type Run } from './results/run-model.ts';
import css from './summary.module.css';

/** Number of lines shown before and after those of the failure. */
const AROUND = 3;
/** Maximum number of lines of a failure that are shown; the rest is in the log. */
const MAX_LINES = 12;

const FailureItem = ({
  failure,
  log,
  onLine,
}: {
  failure: Failure;
  log: LogSource;
  onLine: (line: number) => void;
}) => {
  const { t } = useTranslation();
  const { step, hosts, message, unreachable, line } = failure;
  const lastLine = Math.min(failure.lastLine, line + MAX_LINES - 1);
  return (
    <section className={css.failure}>
      <div className={css.failureHead}>
        <StatusIcon colour="error" shape="cross" />
        <h2>{step.name}</h2>
        <span className="muted">
          {t(unreachable ? 'summary.unreachable' : 'summary.failed', { count: hosts.length })}
        </span>
      </div>
      {message === '' ? null : <p className={css.message}>{message}</p>}
      <div className={css.hosts}>
        {hosts.map((host) => (
          <span key={host}>{host}</span>
        ))}
      </div>
      <LogExcerpt log={log} from={line - AROUND} to={lastLine + AROUND} marked={[line, lastLine]} onLine={onLine} />
      <div className={css.failureActions}>
        <Button small onClick={() => onLine(line)}>
          {t('summary.openLog', { line })}
        </Button>
        {message === '' ? null : (
          <Button small variant="quiet" icon="copy" onClick={() => void copyText(message)}>
            {t('summary.copy')}
          </Button>
        )}
      </div>
    </section>
  );
};

export interface SummaryProps {
  task: Task;
  run: Run;
  log: LogSource;
  onLine: (line: number) => void;
  onCompare: () => void;
}

/** The failures of a task: message, hosts, and the log lines around it. Shows the first ones of many. */
export const Summary = ({ task, run, log, onLine, onCompare }: SummaryProps) => {
  const { t } = useTranslation();
  const { long } = run;
  const asked = useQuery({ ...taskFailuresQuery(task.project_id, task.id, long?.failures ?? 0), enabled: !!long });
  const failures = long ? failuresAmong(run, asked.data?.records ?? []) : failuresOf(run);
  const more = long ? long.failures - (asked.data?.records.length ?? long.failures) : 0;
  const counts = countResults(run.steps.flatMap((step) => badOutcomes(run, step)));
  const { failed = 0, unreachable = 0 } = long ? long.hosts : counts;
  return (
    <div className={css.split}>
      <div className={css.failures}>
        {isLoaded(run) && badHostCount(run) === 0 ? (
          <EndReasonNotice task={task} hasResults={hostCount(run) > 0} log={log} onLine={onLine} />
        ) : null}
        {failures.map((failure) => (
          <FailureItem key={`${failure.step.step}-${failure.line}`} failure={failure} log={log} onLine={onLine} />
        ))}
        {more > 0 ? <p className="muted">{t('summary.more', { count: more })}</p> : null}
      </div>
      <aside className={css.side} aria-label={t('summary.side')}>
        <SinceSuccess task={task} onCompare={onCompare} />
        <h2>{t('task.tabHosts')}</h2>
        <dl className={css.counts}>
          <dt>{t('summary.finished')}</dt>
          <dd>{hostCount(run) - badHostCount(run)}</dd>
          <dt>{t('summary.failedHosts')}</dt>
          <dd className={failed > 0 ? css.red : undefined}>{failed}</dd>
          <dt>{t('summary.unreachableHosts')}</dt>
          <dd className={unreachable > 0 ? css.red : undefined}>{unreachable}</dd>
        </dl>
      </aside>
    </div>
  );
};
