import { ADMIN_WAITING_REASONS } from 'virtual:routes';
import type { QueuedTask, WaitingReason } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { userQuery } from '../../api/queries.ts';

type Task = Pick<QueuedTask, 'project_id' | 'template_id' | 'tpl_alias' | 'waiting_reason'>;

/** Reasons that an administrator can remove on the page of runners. */
const OF_RUNNERS: ReadonlySet<WaitingReason['code']> = new Set([...ADMIN_WAITING_REASONS, 'runners_busy']);

/** Reasons that name another task of the project. */
const OF_TASKS: ReadonlySet<WaitingReason['code']> = new Set([
  'earlier_task',
  'lock_held',
  'lock_ahead',
  'hosts_unknown_ahead',
  'host_held',
  'host_ahead',
]);

/** A link to what a waiting task waits for. Only admins have a page of runners. */
export const WaitingLink = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const { data: user } = useQuery(userQuery());
  const { project_id: projectId, template_id: templateId, tpl_alias: template, waiting_reason: reason } = task;
  if (!reason) return null;
  const { code, params } = reason;
  const isAdmin = user?.admin ?? false;
  if (OF_TASKS.has(code))
    // Of a task that the user must not see, the id is 0.
    return params.id === 0 ? null : (
      <Link to="/project/$projectId/tasks/$taskId" params={{ projectId, taskId: Number(params.id) }} search={{}}>
        {`#${params.id} ${params.template ?? ''}`.trim()}
      </Link>
    );
  if (code === 'template_busy')
    return (
      <Link to="/project/$projectId/templates/$templateId" params={{ projectId, templateId }} search={{}}>
        {template}
      </Link>
    );
  if (code === 'project_limit')
    return (
      <Link to="/project/$projectId/settings" params={{ projectId }}>
        {t('settings.title')}
      </Link>
    );
  if (code === 'system_limit' && isAdmin) return <Link to="/system">{t('systemPage.title')}</Link>;
  return isAdmin && OF_RUNNERS.has(code) ? <Link to="/runners">{t('systemPage.toRunners')}</Link> : null;
};
