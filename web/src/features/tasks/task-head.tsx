import type { QueuedTask } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { templateTasksQuery } from '../../api/queries.ts';
import { DialogTitle } from '../../ui/dialogs/dialog.tsx';
import { ExpectedEnd } from '../../ui/tasks/expected-end.tsx';
import { shownStatus, statusStyle } from '../../ui/tasks/status.ts';
import { LargeStatusIcon } from '../../ui/tasks/status-icon.tsx';
import { useNow } from '../../ui/time/clock.ts';
import { durationText, exactTime, taskDuration } from '../../ui/time/time.ts';
import { EndReasonRemedy } from './end-reason/end-reason-remedy.tsx';
import { EndReasonText } from './end-reason/end-reason-text.tsx';
import { endingOf } from './end-reason/remedies.ts';
import { FailureSummary } from './failures/failure-summary.tsx';
import { queuePosition } from './queue-position.ts';
import { badHostCount, hasHostResults, hostCount, isLoaded, type Run } from './results/run-model.ts';
import { statusText, type TextPart } from './status-text.ts';
import css from './task-head.module.css';
import { usualTime } from './usual-time.ts';

const StatusText = ({ task, run }: { task: QueuedTask; run: Run }) => {
  const { t } = useTranslation();
  const now = useNow();
  const { data: before = [] } = useQuery(templateTasksQuery(task.project_id, task.template_id, 20));
  const usual = usualTime(task, before);
  const passed = taskDuration(task, now);
  const parts = statusText({
    status: shownStatus(task),
    position: queuePosition(task),
    passed: passed === undefined ? undefined : durationText(passed),
    usual: usual === undefined ? undefined : durationText(usual),
    steps: run.steps.length,
    hosts: hostCount(run),
    bad: badHostCount(run),
    isBeforeHosts: isLoaded(run) && !hasHostResults(run) && endingOf(task).isBeforeHosts,
    hasNoHost: run.recap !== undefined && hostCount(run) === 0,
  });
  const style = statusStyle(shownStatus(task));
  const text = (part: TextPart) => t(part.key, { ...part.values });
  return (
    <p className={css.status}>
      <b className={style.colour} data-status={shownStatus(task)}>
        {t(style.labelKey)}
      </b>{' '}
      {parts.short ? text(parts.short) : null}
      <span className="not-phone">{parts.long.map(text).join('')}</span>
      <ExpectedEnd
        task={task}
        before={
          <>
            <span className="only-phone">{t('separator.comma').trim()}</span>{' '}
          </>
        }
      />
      {task.runner_unreachable_since === null ? null : (
        <b role="alert"> {t('task.runnerUnreachable', { since: exactTime(task.runner_unreachable_since) })}</b>
      )}
    </p>
  );
};

export interface TaskHeadProps {
  id: number;
  task: QueuedTask | undefined;
  run: Run;
  heading: 'h1' | 'h2';
  /** Whether the button that leads to the cause is shown here, and not further down. */
  hasRemedy: boolean;
  children: ReactNode;
}

/** Status icon, name and status text of the task, with its buttons on the right. */
export const TaskHead = ({ id, task, run, heading: Heading, hasRemedy, children }: TaskHeadProps) => {
  const { t } = useTranslation();
  const title = (
    <>
      {task ? (
        <Link
          className={`two-lines ${css.template}`}
          title={task.tpl_alias}
          to="/project/$projectId/templates/$templateId"
          params={{ projectId: task.project_id, templateId: task.template_id }}
          search={{}}
        >
          {task.tpl_alias}
        </Link>
      ) : null}{' '}
      <span className={css.id}>{t('task.title', { id })}</span>
    </>
  );
  return (
    <div className={css.top}>
      {task ? <LargeStatusIcon status={shownStatus(task)} /> : <span className={css.noIcon} />}
      {/* A dialog opens with the focus on its name, not on its first button. */}
      <div className={`grow ${css.who}`} tabIndex={-1} data-autofocus={Heading === 'h2' || undefined}>
        {Heading === 'h2' ? (
          <DialogTitle className={css.name}>{title}</DialogTitle>
        ) : (
          <h1 className={css.name}>{title}</h1>
        )}
        {task ? <StatusText task={task} run={run} /> : null}
        {task?.end_reason ? (
          <p className={css.endReason}>
            {badHostCount(run) > 0 ? (
              <FailureSummary
                task={task}
                run={run}
                className={css.reason}
                otherwise={<EndReasonText reason={task.end_reason} className={css.reason} />}
              />
            ) : (
              <EndReasonText reason={task.end_reason} className={css.reason} />
            )}
            {hasRemedy ? <EndReasonRemedy task={task} /> : null}
          </p>
        ) : null}
      </div>
      {children}
    </div>
  );
};
