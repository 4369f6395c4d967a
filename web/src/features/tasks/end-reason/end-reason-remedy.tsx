import type { PermissionName, Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { roleQuery, templateQuery } from '../../../api/queries.ts';
import { mayDo, mayWith } from '../../../ui/access/permissions.ts';
import { buttonClass } from '../../../ui/basics/button.tsx';
import { DialogLink } from '../../../ui/basics/links.tsx';
import { endingOf, type Remedy } from './remedies.ts';

/** The field of the template that the reason is about. */
const fieldOf = (reason: Task['end_reason']): 'playbook' | 'max_minutes' | undefined => {
  if (reason?.code === 'time_limit') return 'max_minutes';
  return reason?.code === 'playbook.missing' || reason?.code === 'playbook.outside' ? 'playbook' : undefined;
};

/** The right to fix the cause of each kind of failure. */
const RIGHTS = {
  template: 'edit_templates',
  time: 'edit_templates',
  repository: 'edit_repositories',
  inventory: 'edit_inventories',
  keys: 'edit_keys',
} as const satisfies Partial<Record<Remedy, PermissionName>>;

/** The key that the reason is about, if it is known. */
const keyOf = (reason: Task['end_reason']): number | undefined =>
  reason && 'key_id' in reason.params ? (reason.params.key_id ?? undefined) : undefined;

/**
 * The button that leads to the page where the cause of a failure can be fixed; nothing for a user without the right to
 * fix it.
 */
export const EndReasonRemedy = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const { remedy } = endingOf(task);
  const { data: role } = useQuery(roleQuery(task.project_id));
  const { data: template } = useQuery(templateQuery(task.project_id, task.template_id));
  if (remedy === 'limit') {
    if (!mayWith(role, task.template_id, 'run')) return null;
    return (
      <DialogLink
        className={buttonClass('primary', true)}
        search={{ run: task.template_id, again: task.id, field: 'limit' }}
      >
        {t('failure.changeLimit')}
      </DialogLink>
    );
  }
  if (!(remedy in RIGHTS) || !mayDo(role, RIGHTS[remedy as keyof typeof RIGHTS])) return null;
  const project = { projectId: task.project_id };
  const button = { className: buttonClass('primary', true) };
  switch (remedy) {
    case 'template':
    case 'time':
      return (
        <Link
          {...button}
          to="/project/$projectId/templates/$templateId/edit"
          params={{ ...project, templateId: task.template_id }}
          search={{ field: fieldOf(task.end_reason) }}
        >
          {t('failure.editTemplate')}
        </Link>
      );
    case 'repository':
      return (
        <Link
          {...button}
          to="/project/$projectId/repositories"
          params={project}
          search={template ? { edit: template.repository_id } : {}}
        >
          {t('failure.editRepository')}
        </Link>
      );
    case 'inventory':
      return (
        <Link
          {...button}
          to="/project/$projectId/inventory"
          params={project}
          search={template?.inventory_id ? { edit: template.inventory_id } : {}}
        >
          {t('failure.editInventory')}
        </Link>
      );
    case 'keys': {
      const key = keyOf(task.end_reason);
      return (
        <Link
          {...button}
          to="/project/$projectId/keys"
          params={project}
          search={key === undefined ? {} : { edit: key }}
        >
          {t(key === undefined ? 'failure.openKeys' : 'failure.editKey')}
        </Link>
      );
    }
    default:
      return null;
  }
};
