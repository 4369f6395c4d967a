import type { Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  environmentsQuery,
  inventoryQuery,
  labelsQuery,
  repositoriesQuery,
  roleQuery,
  schedulesQuery,
  webhooksQuery,
} from '../../api/queries.ts';
import { usePageApp } from '../../apps/page-apps.ts';
import { mayByRole } from '../../ui/access/permissions.ts';
import { ResourceLink } from '../../ui/basics/resource-link.tsx';
import { APPROVAL_LABELS } from '../../ui/tasks/approval-labels.ts';
import { templateTypeStyle } from '../../ui/tasks/template-type.ts';
import { changeableTexts, optionTexts } from './option-texts.ts';
import css from './template-details.module.css';
import { TemplateEnvironment } from './template-environment.tsx';
import { TemplateSchedules } from './template-schedules.tsx';

const Detail = ({ term, children }: { term: string; children: ReactNode }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
);

/** What the tasks of a template run with, and when its schedules start the next one. */
export const TemplateDetails = ({ template }: { template: Template }) => {
  const { t } = useTranslation();
  const { project_id: project } = template;
  const app = usePageApp(template.app);
  const { file, features } = app;
  const { data: inventory } = useQuery(inventoryQuery(project));
  const { data: environment } = useQuery(environmentsQuery(project));
  const { data: repository } = useQuery(repositoriesQuery(project));
  const { data: schedules = [] } = useQuery(schedulesQuery(project, template.id));
  const { data: every } = useQuery(webhooksQuery(project));
  const webhooks = every?.filter(({ template_id }) => template_id === template.id);
  const mayEdit = mayByRole(useQuery(roleQuery(project)).data, template.id, 'edit_schedules');
  const { data: known = [] } = useQuery(labelsQuery(project));
  const labels = known.filter(({ id }) => template.labels.includes(id));
  const options = optionTexts(t, template.options);
  const objects = { inventory_id: inventory, environment_id: environment };
  const changeable = changeableTexts(
    t,
    template,
    app,
    (option, id) => objects[option]?.find((one) => one.id === id)?.name,
  );
  const resources = [
    ...(features.inventory
      ? [['inventory', '/project/$projectId/inventory', template.inventory_id, inventory] as const]
      : []),
    ['environment', '/project/$projectId/environment', template.environment_id, environment],
    ['repository', '/project/$projectId/repositories', template.repository_id, repository],
  ] as const;
  return (
    <dl className={css.detail}>
      <Detail term={t(file.column)}>
        <span className="mono">{template.playbook}</span>
      </Detail>
      <Detail term={t('column.type')}>{t(templateTypeStyle(template.type).labelKey)}</Detail>
      {resources.map(([column, to, id, items]) => (
        <Detail key={column} term={t(`column.${column}`)}>
          <ResourceLink to={to} project={project} id={id} items={items} />
        </Detail>
      ))}
      <Detail term={t('executionEnvironment.title')}>
        <TemplateEnvironment template={template} />
      </Detail>
      {labels.length === 0 ? null : (
        <Detail term={t('labels.title')}>
          {labels.map(({ id, name }) => (
            <Link
              key={id}
              to="/project/$projectId/templates"
              params={{ projectId: project }}
              search={{ label: id }}
              className={css.label}
            >
              {name}
            </Link>
          ))}
        </Detail>
      )}
      {options.length === 0 ? null : <Detail term={t('optionRules.title')}>{options.join(' · ')}</Detail>}
      {changeable.length === 0 ? null : <Detail term={t('optionRules.any')}>{changeable.join(' · ')}</Detail>}
      {template.approval === 'none' ? null : (
        <Detail term={t('approval.title')}>{t(APPROVAL_LABELS[template.approval])}</Detail>
      )}
      {schedules.length === 0 ? null : (
        <Detail term={t(schedules.length === 1 ? 'schedule.title' : 'schedules.title')}>
          <TemplateSchedules
            template={template}
            schedules={schedules}
            repositoryName={(id) => repository?.find((one) => one.id === id)?.name}
          />
        </Detail>
      )}
      {webhooks === undefined || (webhooks.length === 0 && !mayEdit) ? null : (
        <Detail term={t('webhooks.title')}>
          {webhooks.length === 0 ? (
            <Link
              to="/project/$projectId/webhooks/$webhookId"
              params={{ projectId: project, webhookId: 'new' }}
              search={{ template: template.id }}
            >
              {t('webhooks.add')}
            </Link>
          ) : (
            <Link to="/project/$projectId/webhooks" params={{ projectId: project }} search={{ template: template.id }}>
              {t('webhooks.ofTemplate', { count: webhooks.length })}
            </Link>
          )}
        </Detail>
      )}
    </dl>
  );
};
