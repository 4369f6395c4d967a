import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { roleQuery, templateQuery } from '../../../api/queries.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { DialogLink } from '../../../ui/plain-link.tsx';
import { mayDo } from '../../../ui/rights.ts';
import type { Remedy } from './failure-text.ts';

/** The button that leads to the page where a failure can be fixed; nothing for a user without the right to fix it. */
export const FailureRemedy = ({ task, remedy }: { task: Task; remedy: Remedy }) => {
  const { t } = useTranslation();
  const { data: role } = useQuery(roleQuery(task.project_id));
  const { data: template } = useQuery(templateQuery(task.project_id, task.template_id));
  if (remedy === 'limit') {
    if (!mayDo(role, 'run_tasks')) return null;
    return (
      <DialogLink className={buttonClass('primary', true)} search={{ run: task.template_id, again: task.id }}>
        {t('failure.changeLimit')}
      </DialogLink>
    );
  }
  if (!mayDo(role, 'manage_resources')) return null;
  const project = { projectId: task.project_id };
  const look = { className: buttonClass('primary', true) };
  switch (remedy) {
    case 'template':
    case 'time':
      return (
        <Link
          {...look}
          to="/project/$projectId/templates/$templateId/edit"
          params={{ ...project, templateId: task.template_id }}
          search={{}}
        >
          {t('failure.editTemplate')}
        </Link>
      );
    case 'repository':
      return (
        <Link
          {...look}
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
          {...look}
          to="/project/$projectId/inventory"
          params={project}
          search={template ? { edit: template.inventory_id } : {}}
        >
          {t('failure.editInventory')}
        </Link>
      );
    case 'keys':
      return (
        <Link {...look} to="/project/$projectId/keys" params={project} search={{}}>
          {t('failure.openKeys')}
        </Link>
      );
    default:
      return null;
  }
};
