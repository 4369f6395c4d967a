import type { ComparedField, Task, TaskComparison } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { environmentsQuery, inventoryQuery } from '../../../api/queries.ts';
import { usePageApp, usePageApps } from '../../../apps/page-apps.ts';
import { numberText } from '../../../lang/locale.ts';
import { ResourceLink } from '../../../ui/basics/resource-link.tsx';
import { environmentParts, kindText } from '../../../ui/execution-environment/environment-text.ts';
import { COMPARED_FIELD_LABELS } from '../../../ui/tasks/compared-fields.ts';
import { taskArguments } from '../../../ui/tasks/task-arguments.ts';

/** Fields whose values are not kept: only whether they differ is known. */
export const isContent = (field: ComparedField): field is 'inventory_content' | 'environment_content' =>
  field === 'inventory_content' || field === 'environment_content';

/** How content differs: with the hosts of both runs, if they are the same. */
export const ContentChange = ({ field, hosts }: { field: ComparedField; hosts: TaskComparison['hosts'] }) => {
  const { t } = useTranslation();
  const isSame = field === 'inventory_content' && hosts !== null && hosts.added_count + hosts.removed_count === 0;
  return <>{t(isSame ? 'compare.contentChangedSameHosts' : 'compare.contentChanged')}</>;
};

/** The name of a field of a task. */
export const FieldLabel = ({ task, field }: { task: Task; field: ComparedField }) => {
  const { t } = useTranslation();
  const { file } = usePageApp(task.app);
  return <>{t(field === 'tpl_playbook' ? file.column : COMPARED_FIELD_LABELS[field])}</>;
};

/** The value of a field of a task, as short as the user can recognize it. */
export const FieldValue = ({ task, field }: { task: Task; field: ComparedField }): ReactNode => {
  const { t } = useTranslation();
  const apps = usePageApps();
  const { data: inventories } = useQuery({ ...inventoryQuery(task.project_id), enabled: field === 'inventory_id' });
  const { data: environments } = useQuery({
    ...environmentsQuery(task.project_id),
    enabled: field === 'environment_id',
  });
  const code = (text: string | null): ReactNode => (text ? <code>{text}</code> : <span className="faint">–</span>);
  const link = { project: task.project_id, id: task[field === 'environment_id' ? field : 'inventory_id'] };
  switch (field) {
    case 'app':
      return apps[task.app]?.title ?? task.app;
    case 'commit_hash':
      if (task.commit_hash === null) return code(null);
      return (
        <>
          <code title={task.commit_hash}>{task.commit_hash.slice(0, 7)}</code> <bdi>{task.commit_message}</bdi>
        </>
      );
    case 'inventory_id':
      return <ResourceLink to="/project/$projectId/inventory" {...link} items={inventories} />;
    case 'environment_id':
      return <ResourceLink to="/project/$projectId/environment" {...link} items={environments} />;
    case 'tags':
    case 'skip_tags':
      return code(task[field].join(', '));
    case 'arguments':
      return code(taskArguments(task).join(' '));
    case 'dry_run':
    case 'diff':
      return t(task[field] ? 'answer.yes' : 'answer.no');
    case 'verbosity':
      return task.verbosity === 0 ? t('launch.normal') : code(`-${'v'.repeat(task.verbosity)}`);
    case 'forks':
      return task.forks === null ? code(null) : numberText(task.forks);
    case 'execution_environment':
      return [kindText(t, task.execution_environment.kind), ...environmentParts(task.execution_environment)].join(', ');
    case 'inventory_content':
    case 'environment_content':
      return null;
    default:
      return code(task[field]);
  }
};
