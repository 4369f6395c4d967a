import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { userQuery } from '../../../api/queries.ts';
import { usePageApp, usePageApps } from '../../../apps/page-apps.ts';
import { numberText } from '../../../lang/locale.ts';
import { EnvironmentSummary } from '../../../ui/execution-environment/environment-summary.tsx';
import { signedText } from '../../../ui/forms/number-text.ts';
import { taskArguments } from '../../../ui/tasks/task-arguments.ts';
import { StartedBy } from '../../../ui/tasks/task-cells.tsx';
import { templateTypeStyle } from '../../../ui/tasks/template-type.ts';
import { durationText, exactTime } from '../../../ui/time/time.ts';
import { CommitHash } from '../commit-hash.tsx';
import { useVersionRows } from '../run-versions.tsx';
import css from '../task.module.css';
import { UsedObject } from './used-object.tsx';

const pretty = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
};

const moment = (at: string | null): string => (at === null ? '–' : exactTime(at));

/** The template of a task, with a link to its page. */
const TemplateName = ({ task: { project_id: projectId, template_id: templateId, tpl_alias } }: { task: Task }) => (
  <Link to="/project/$projectId/templates/$templateId" params={{ projectId, templateId }} search={{}}>
    {tpl_alias}
  </Link>
);

/** The runner of a task. A link for administrators, because only they can open its page. */
const RunnerName = ({ task }: { task: Task }) => {
  const { data: user } = useQuery(userQuery());
  if (task.runner_name === '') return '–';
  if (task.runner_id === null || !user?.admin) return task.runner_name;
  return (
    <Link to="/runners/$runnerId" params={{ runnerId: task.runner_id }}>
      {task.runner_name}
    </Link>
  );
};

/** The schedule of a task, with a link to it until it is deleted. */
const ScheduleName = ({ task: { project_id: projectId, schedule_id, schedule_name } }: { task: Task }) => {
  if (schedule_id === null) return schedule_name || '–';
  return (
    <Link to="/project/$projectId/schedules" params={{ projectId }} search={{ edit: schedule_id }}>
      {schedule_name}
    </Link>
  );
};

/** The webhook of a task, with a link to it until it is deleted. */
const WebhookName = ({ task: { project_id: projectId, webhook_id: webhookId, webhook_name } }: { task: Task }) => {
  if (webhookId === null) return webhook_name;
  return (
    <Link to="/project/$projectId/webhooks/$webhookId" params={{ projectId, webhookId }} search={{}}>
      {webhook_name}
    </Link>
  );
};

/** The options that have a value; most tasks have none of them. */
const changedOptions = (task: Task, t: TFunction): (readonly [string, ReactNode])[] => {
  const { tags, skip_tags: skipped, forks, git_branch: branch, max_duration: seconds } = task;
  const { runner_tags: runnerTags, priority, locks } = task;
  return [
    ...(tags.length > 0 ? [[t('launch.tags'), <code key="tags">{tags.join(', ')}</code>] as const] : []),
    ...(skipped.length > 0 ? [[t('launch.skipTags'), <code key="skipped">{skipped.join(', ')}</code>] as const] : []),
    ...(forks === null ? [] : [[t('launch.forks'), forks] as const]),
    ...(runnerTags.length > 0
      ? [[t('launch.runnerTags'), <code key="runnerTags">{runnerTags.join(', ')}</code>] as const]
      : []),
    ...(task.lock_hosts ? [[t('templateForm.lockHosts'), t('answer.yes')] as const] : []),
    ...(locks.length > 0 ? [[t('templateForm.locks'), <code key="locks">{locks.join(', ')}</code>] as const] : []),
    ...(priority === 0 ? [] : [[t('launch.priority'), signedText(priority)] as const]),
    ...(branch === null ? [] : [[t('launch.branch'), <code key="branch">{branch}</code>] as const]),
    ...(seconds === null
      ? []
      : [[t('templateForm.maxMinutes'), seconds === 0 ? t('launch.noTimeLimit') : numberText(seconds / 60)] as const]),
  ];
};

/** All values that the task was started with, with links to what they name. */
export const DetailFields = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const yes = (flag: boolean) => t(flag ? 'answer.yes' : 'answer.no');
  const { title, features, file } = usePageApp(task.app);
  const isAlone = Object.keys(usePageApps()).length === 1;
  const versions = useVersionRows(task);
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t('template.title'), <TemplateName key="template" task={task} />],
    [t('column.type'), t(templateTypeStyle(task.tpl_type).labelKey)],
    ...(isAlone ? [] : [[t('templateForm.app'), title] as const]),
    [t(file.column), <code key="playbook">{task.tpl_playbook}</code>],
    ...(features.inventory
      ? [[t('column.inventory'), <UsedObject key="inventory" task={task} kind="inventory" />] as const]
      : []),
    [t('column.environment'), <UsedObject key="environment" task={task} kind="environment" />],
    [t('column.repository'), <UsedObject key="repository" task={task} kind="repositories" />],
    [t('column.user'), <StartedBy key="by" task={task} />],
    [t('details.runner'), <RunnerName key="runner" task={task} />],
    [
      t('executionEnvironment.title'),
      <EnvironmentSummary key="environment" environment={task.execution_environment} />,
    ],
    [t('details.schedule'), <ScheduleName key="schedule" task={task} />],
    ...(task.freeze_window === ''
      ? []
      : [
          [t('details.freezeWindow'), task.freeze_window] as const,
          [t('details.freezeReason'), task.freeze_reason] as const,
        ]),
    ...(task.approval_by === ''
      ? []
      : [
          [
            t(task.approval_state === 'rejected' ? 'details.rejectedBy' : 'details.approvedBy'),
            task.approval_comment === '' ? task.approval_by : `${task.approval_by}: ${task.approval_comment}`,
          ] as const,
        ]),
    ...(task.webhook_name === '' ? [] : [[t('details.webhook'), <WebhookName key="webhook" task={task} />] as const]),
    [t('details.created'), moment(task.created)],
    ...(task.start === null
      ? []
      : [[t('details.queued'), durationText(Date.parse(task.start) - Date.parse(task.created))] as const]),
    [t('column.start'), moment(task.start)],
    [t('details.end'), moment(task.end)],
    [
      t('task.commit'),
      task.commit_hash === null ? (
        '–'
      ) : (
        <CommitHash key="commit" task={task} hash={task.commit_hash}>
          <code>{task.commit_hash}</code>
        </CommitHash>
      ),
    ],
    ...versions,
    ...(features.checkMode ? [[t('newTask.dryRun'), yes(task.dry_run)] as const] : []),
    [
      t('launch.verbosity'),
      task.verbosity === 0 ? t('launch.normal') : <code key="v">{`-${'v'.repeat(task.verbosity)}`}</code>,
    ],
    ...(features.diff ? [[t('newTask.diff'), yes(task.diff)] as const] : []),
    ...(features.limit
      ? [[t('newTask.limit'), task.limit === '' ? '–' : <code key="limit">{task.limit}</code>] as const]
      : []),
    ...changedOptions(task, t),
    ...(features.arguments
      ? [[t('newTask.arguments'), <pre key="arguments">{JSON.stringify(taskArguments(task), null, 2)}</pre>] as const]
      : []),
    [t('details.answers'), <pre key="answers">{pretty(task.environment)}</pre>],
  ];
  return (
    <dl className={css.details}>
      {rows.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};
