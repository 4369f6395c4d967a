import type { ActiveTask, WaitingReason } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { signedText } from '../../../ui/forms/number-text.ts';
import type { ShownColumn } from '../../../ui/lists/list-table.tsx';
import table from '../../../ui/lists/table.module.css';
import { ExpectedEnd } from '../../../ui/tasks/expected-end.tsx';
import { shownStatus } from '../../../ui/tasks/status.ts';
import { StatusLabel } from '../../../ui/tasks/status-icon.tsx';
import { StartedBy } from '../../../ui/tasks/task-cells.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import { useApprovalText } from '../approval/approval-notice.tsx';
import { queuePosition } from '../queue-position.ts';
import { useWaitingText } from '../waiting-notice.tsx';
import css from './active-tasks.module.css';

/** Why a task waits. */
const WaitingText = ({ task, reason }: { task: ActiveTask; reason: WaitingReason }) => {
  const waitingText = useWaitingText();
  const approvalText = useApprovalText(task);
  return <small>{reason.code === 'approval' ? approvalText : waitingText(reason)}</small>;
};

/** Task and template, and below them why the task waits. */
const NameCell = ({ task }: { task: ActiveTask }) => {
  const { project_id: projectId, template_id: templateId, id, tpl_alias, waiting_reason: reason } = task;
  const names = (
    <span className={table.cell}>
      <Link
        className={css.number}
        to="/project/$projectId/tasks/$taskId"
        params={{ projectId, taskId: id }}
        search={{}}
      >
        #{id}
      </Link>
      <Link
        className={`${table.name} cut`}
        title={tpl_alias}
        to="/project/$projectId/templates/$templateId"
        params={{ projectId, templateId }}
        search={{}}
      >
        {tpl_alias}
      </Link>
    </span>
  );
  if (task.status !== 'waiting' || reason === null) return names;
  return (
    <div className={css.waiting}>
      {names}
      <WaitingText task={task} reason={reason} />
    </div>
  );
};

const StatusCell = (task: ActiveTask) => {
  const { t } = useTranslation();
  const { status, priority } = task;
  const position = queuePosition(task);
  const isWaiting = status === 'waiting';
  const extra = [
    ...(isWaiting && position !== null ? [t('waiting.position', { position })] : []),
    ...(isWaiting && priority !== 0 ? [t('waiting.priority', { priority: signedText(priority) })] : []),
  ];
  const label = <StatusLabel status={shownStatus(task)} />;
  if (!isWaiting && (task.expected_end || task.longer_than_usual))
    return (
      <div className={css.waiting}>
        {label}
        <small>
          <ExpectedEnd task={task} />
        </small>
      </div>
    );
  if (extra.length === 0) return label;
  return (
    <div className={css.waiting}>
      {label}
      <small>{extra.join(t('separator.comma'))}</small>
    </div>
  );
};

/** Who or what started a task, with a link to it. */
const ByCell = ({ task }: { task: ActiveTask }) => {
  const { t } = useTranslation();
  const { project_id: projectId, user_name, schedule_id, schedule_name, webhook_name, build_task_id } = task;
  if (user_name !== '')
    return (
      <Link to="/project/$projectId/team" params={{ projectId }} search={{ q: user_name }}>
        <StartedBy task={task} />
      </Link>
    );
  if (schedule_id !== null)
    return (
      <Link to="/project/$projectId/schedules" params={{ projectId }} search={{ edit: schedule_id }}>
        {schedule_name || t('by.schedule')}
      </Link>
    );
  if (build_task_id === null || webhook_name !== '') return <StartedBy task={task} />;
  return (
    <Link to="/project/$projectId/tasks/$taskId" params={{ projectId, taskId: build_task_id }} search={{}}>
      {t('by.build', { id: build_task_id })}
    </Link>
  );
};

/** The columns of the tasks that wait or run. Only admins have a page of runners. */
export const activeColumns = (isAdmin: boolean): ShownColumn<ActiveTask>[] => [
  {
    id: 'task',
    title: 'column.task',
    text: ({ id, tpl_alias, message }) => `#${id} ${tpl_alias} ${message}`,
    order: ({ id }) => -id,
    isDescending: true,
    cell: (task) => <NameCell task={task} />,
  },
  {
    id: 'project',
    title: 'shell.project',
    text: ({ project_name }) => project_name,
    width: '13%',
    cell: ({ project_id, project_name }) => (
      <Link to="/project/$projectId/history" params={{ projectId: project_id }} search={{}} title={project_name}>
        {project_name}
      </Link>
    ),
  },
  {
    id: 'status',
    title: 'column.status',
    text: ({ status, waiting_reason }) => `${status} ${waiting_reason?.code ?? ''}`.trimEnd(),
    width: '16%',
    cell: (task) => <StatusCell {...task} />,
  },
  {
    id: 'since',
    title: 'activeTasks.since',
    text: ({ start, created }) => start ?? created,
    order: ({ start, created }) => Date.parse(start ?? created),
    width: '10%',
    cell: ({ start, created }) => <Ago at={start ?? created} />,
  },
  {
    id: 'user',
    title: 'column.user',
    text: ({ user_name, schedule_name, webhook_name }) => user_name || schedule_name || webhook_name,
    width: '11%',
    cell: (task) => <ByCell task={task} />,
  },
  {
    id: 'runner',
    title: 'activeTasks.runner',
    text: ({ runner_name }) => runner_name,
    width: '11%',
    cell: ({ runner_name, runner_id }) => {
      if (runner_name === '') return <span className={css.none}>–</span>;
      return isAdmin && runner_id !== null ? (
        <Link to="/runners/$runnerId" params={{ runnerId: runner_id }}>
          {runner_name}
        </Link>
      ) : (
        runner_name
      );
    },
  },
];
