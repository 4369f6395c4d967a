import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { taskFailuresQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Lamp } from '../../ui/lamp.tsx';
import { snack } from '../../ui/snackbar-store.ts';
import { type Failure, failuresAmong, failuresOf } from './failures.ts';
import { failedLimit } from './hosts/host-limit.ts';
import { RunOnHosts } from './hosts/run-on-hosts.tsx';
import { LogRow } from './log/log-row.tsx';
import type { LogSource } from './log/log-source.ts';
import { badHostCount, badOutcomes, countResults, hostCount, type Run } from './results/run-model.ts';
import css from './task.module.css';

/** Lines shown before and after the one where it failed. */
const AROUND = 3;

const LinesAround = ({ log, line, onLine }: { log: LogSource; line: number; onLine: (line: number) => void }) => {
  const state = useSyncExternalStore(log.subscribe, () => log.state);
  const from = Math.max(1, line - AROUND);
  const to = Math.min(state.total, line + AROUND);
  useEffect(() => {
    if (state.version >= 0) log.want(from, to);
  }, [log, from, to, state.version]);
  if (to < from) return null;
  return (
    <div className={css.around}>
      {Array.from({ length: to - from + 1 }, (_, at) => from + at).map((number) => (
        <LogRow
          key={number}
          number={number}
          line={log.line(number)}
          chosen={false}
          timeOf={undefined}
          finder={undefined}
          isAt={false}
          onLine={onLine}
        />
      ))}
    </div>
  );
};

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
  const copy = () =>
    navigator.clipboard.writeText(message).then(
      () => snack('ok', t('task.copied')),
      () => snack('error', t('task.notCopied')),
    );
  return (
    <section className={css.failure}>
      <div className={css.failureHead}>
        <Lamp colour="error" shape="cross" />
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
      <LinesAround log={log} line={line} onLine={onLine} />
      <div className={css.failureActions}>
        <Button small onClick={() => onLine(line)}>
          {t('summary.openLog', { line })}
        </Button>
        {message === '' ? null : (
          <Button small look="quiet" icon="copy" onClick={() => void copy()}>
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
  /** Runs the task once more on some hosts; undefined while it is not over. */
  onRunOn: ((limit: string) => void) | undefined;
}

/** What failed, on which hosts, the message in full, and the lines around it; the first of very many. */
export const Summary = ({ task, run, log, onLine, onRunOn }: SummaryProps) => {
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
        {failures.map((failure) => (
          <FailureItem key={`${failure.step.step}-${failure.line}`} failure={failure} log={log} onLine={onLine} />
        ))}
        {more > 0 ? <p className="muted">{t('summary.more', { count: more })}</p> : null}
      </div>
      <aside className={css.side} aria-label={t('task.tabHosts')}>
        <h2>{t('task.tabHosts')}</h2>
        <dl className={css.counts}>
          <dt>{t('summary.finished')}</dt>
          <dd>{hostCount(run) - badHostCount(run)}</dd>
          <dt>{t('summary.failedHosts')}</dt>
          <dd className={failed > 0 ? css.red : undefined}>{failed}</dd>
          <dt>{t('summary.unreachableHosts')}</dt>
          <dd className={unreachable > 0 ? css.red : undefined}>{unreachable}</dd>
        </dl>
        {onRunOn ? (
          <span className="only-phone">
            <RunOnHosts
              label={t('task.runOnFailed')}
              limit={() => failedLimit({ project_id: task.project_id, task_id: task.id }, run)}
              onRun={onRunOn}
            />
          </span>
        ) : null}
      </aside>
    </div>
  );
};
