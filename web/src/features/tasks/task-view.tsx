import { FINAL_STATUSES } from 'virtual:routes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, isMissing } from '../../api/api-error.ts';
import { roleQuery, taskQuery } from '../../api/queries.ts';
import { usePageApp } from '../../apps/page-apps.ts';
import { LiveNotice } from '../../live/live-notice.tsx';
import { mayWith } from '../../ui/access/permissions.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { NotFoundNotice } from '../../ui/page/not-found-notice.tsx';
import { useTitle } from '../../ui/page/page.tsx';
import type { LineAddress } from '../../ui/tasks/line-range.ts';
import type { MatrixUrl } from '../../ui/tasks/matrix-url.ts';
import { ApprovalNotice } from './approval/approval-notice.tsx';
import { CompareTab } from './comparison/compare-tab.tsx';
import { Details } from './details/details.tsx';
import { findFirstError, hasError } from './first-error.ts';
import { LogRemoved } from './log/log-removed.tsx';
import { LogTab } from './log-tab.tsx';
import { MatrixTab } from './matrix/matrix-tab.tsx';
import { RunningStep } from './running-step.tsx';
import { SilentHosts } from './silent-hosts.tsx';
import { Summary } from './summary.tsx';
import css from './task.module.css';
import { TaskActions } from './task-actions.tsx';
import { TaskHead } from './task-head.tsx';
import { TaskProgress } from './task-progress.tsx';
import { TaskSummaryValues } from './task-summary-values.tsx';
import { firstTab, type TaskTab, TaskTabs } from './task-tabs.tsx';
import { TimelineTab } from './timeline/timeline-tab.tsx';
import { useTaskSources } from './use-task-sources.ts';
import { WaitingNotice } from './waiting-notice.tsx';

/** State of the task view in the URL. */
export interface TaskUrlState extends MatrixUrl {
  tab?: TaskTab | undefined;
  /** Highlighted lines of the log. */
  line?: LineAddress | undefined;
  /** Text that is searched in the log. */
  find?: string | undefined;
  /** Id of the task that it is compared with. */
  with?: number | undefined;
  /** Name of the step that the comparison shows. */
  step?: string | undefined;
}

export interface TaskViewProps extends TaskUrlState {
  project: number;
  task: number;
  /** `h1` on its own page, `h2` in the dialog. */
  heading: 'h1' | 'h2';
  onUrlState: (state: TaskUrlState) => void;
  /** Opens the new task dialog with the answers of the task, optionally limited to some hosts. */
  onRunAgain: (task: number, template: number, limit?: string) => void;
  onClose?: (() => void) | undefined;
}

/** A task: its status, progress, failures, hosts, log and buttons. */
export const TaskView = (props: TaskViewProps) => {
  const { project, task: id, tab, line, find, with: other, heading, onUrlState, onRunAgain, onClose } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useQuery(taskQuery(project, id));
  const task = query.data;
  const final = task && (FINAL_STATUSES as readonly string[]).includes(task.status);
  const { log, search, run } = useTaskSources(project, id, final);
  useTitle(task ? t('task.titleOf', { name: task.tpl_alias, id }) : t('task.title', { id }));
  const shown = tab ?? firstTab(task, line, find);
  const actions = useMemo(() => ({ onRunAgain, onClose, fullPage: heading === 'h2' }), [onRunAgain, onClose, heading]);
  const app = usePageApp(task?.app);
  const { data: role } = useQuery(roleQuery(project));
  const mayRunOn = task !== undefined && final && mayWith(role, task.template_id, 'run');
  const toLine = (at: LineAddress): void => onUrlState({ tab: 'log', line: at });
  const runOn = (limit: string) => task && onRunAgain(id, task.template_id, limit);
  return (
    <div className={css.view}>
      <TaskHead id={id} task={task} run={run} heading={heading} hasRemedy={shown !== 'summary'}>
        <TaskActions task={task} run={run} project={project} id={id} isMissing={isMissing(query.error)} {...actions} />
      </TaskHead>
      {heading === 'h2' ? <LiveNotice inDialog /> : null}
      {query.error && !task ? (
        <div className={css.failed}>
          {isMissing(query.error) ? (
            <NotFoundNotice what="task">
              <Link to="/project/$projectId/history" params={{ projectId: project }} search={{}}>
                {t('notFound.history')}
              </Link>
            </NotFoundNotice>
          ) : (
            <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
          )}
        </div>
      ) : null}
      {task ? <TaskProgress run={run} task={task} /> : null}
      {task ? <RunningStep run={run} task={task} onLine={toLine} /> : null}
      {task ? <SilentHosts task={task} onLine={toLine} /> : null}
      {task?.approval_state === 'pending' ? <ApprovalNotice task={task} /> : null}
      {task?.status === 'waiting' && task.approval_state !== 'pending' ? <WaitingNotice task={task} /> : null}
      {task ? <TaskSummaryValues task={task} /> : null}
      {query.error && !task ? null : (
        <TaskTabs
          tab={shown}
          run={run}
          task={task}
          onTab={(to) => onUrlState({ tab: to, line: undefined, with: undefined, step: undefined })}
        >
          <LogRemoved task={task} />
          {shown === 'log' && !task?.log_removed ? (
            <LogTab
              source={log}
              search={search}
              run={run}
              status={task?.status ?? 'waiting'}
              start={task?.start ?? null}
              line={line}
              onLine={toLine}
              find={find}
              onFind={(text) => onUrlState({ tab: 'log', find: text })}
              firstError={
                task && hasError(task, run) ? () => findFirstError(client, task, run, log, app.errorPrefix) : undefined
              }
            />
          ) : null}
          {shown === 'summary' && task ? (
            <Summary
              task={task}
              run={run}
              log={log}
              onLine={toLine}
              onRunOn={mayRunOn ? runOn : undefined}
              onCompare={() => onUrlState({ tab: 'compare', line: undefined, with: undefined })}
            />
          ) : null}
          {shown === 'hosts' && task ? (
            <MatrixTab
              task={task}
              run={run}
              log={log}
              url={{ result: props.result, hosts: props.hosts, order: props.order, cell: props.cell }}
              onUrl={(change) => onUrlState({ tab: 'hosts', ...change })}
              onLine={toLine}
              onSummary={() => onUrlState({ tab: 'summary', line: undefined, with: undefined })}
              onRunOn={mayRunOn ? runOn : undefined}
            />
          ) : null}
          {shown === 'timeline' && task ? <TimelineTab task={task} run={run} onLine={toLine} /> : null}
          {shown === 'compare' && task ? (
            <CompareTab
              task={task}
              other={other}
              step={props.step}
              onOther={(to) => onUrlState({ tab: 'compare', with: to })}
            />
          ) : null}
          {shown === 'details' && task ? <Details task={task} /> : null}
        </TaskTabs>
      )}
    </div>
  );
};
