import type { Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { environmentsQuery, inventoryQuery, repositoriesQuery, schedulesQuery } from '../../api/queries.ts';
import { usePageApp } from '../../apps/page-apps.ts';
import { templateTypeStyle } from '../../ui/tasks/template-type.ts';
import { exactTime } from '../../ui/time/time.ts';
import { nextStart } from './next-start.ts';
import css from './templates.module.css';

interface ResourceProps {
  to: Extract<
    LinkProps['to'],
    '/project/$projectId/inventory' | '/project/$projectId/environment' | '/project/$projectId/repositories'
  >;
  project: number;
  id: number | null;
  items: readonly { readonly id: number; readonly name: string }[] | undefined;
}

/** The name of a resource, which opens its form. */
const ResourceName = ({ to, project, id, items }: ResourceProps) => {
  const name = items?.find((item) => item.id === id)?.name;
  if (id === null || name === undefined) return '–';
  return (
    <Link to={to} params={{ projectId: project }} search={{ edit: id }}>
      {name}
    </Link>
  );
};

/** What the tasks of a template run with, and when its schedules start the next one. */
export const TemplateDetails = ({ template }: { template: Template }) => {
  const { t } = useTranslation();
  const { project_id: project } = template;
  const { file, features } = usePageApp(template.app);
  const { data: inventory } = useQuery(inventoryQuery(project));
  const { data: environment } = useQuery(environmentsQuery(project));
  const { data: repository } = useQuery(repositoriesQuery(project));
  const { data: schedules = [] } = useQuery(schedulesQuery(project, template.id));
  const next = nextStart(schedules);
  const values: (readonly [key: string, term: string, value: ReactNode])[] = [
    [
      'file',
      t(file.column),
      <span key="file" className="mono">
        {template.playbook}
      </span>,
    ],
    ['type', t('column.type'), t(templateTypeStyle(template.type).labelKey)],
    ...(features.inventory
      ? [
          [
            'inventory',
            t('column.inventory'),
            <ResourceName
              key="inventory"
              to="/project/$projectId/inventory"
              project={project}
              id={template.inventory_id}
              items={inventory}
            />,
          ] as const,
        ]
      : []),
    [
      'environment',
      t('column.environment'),
      <ResourceName
        key="environment"
        to="/project/$projectId/environment"
        project={project}
        id={template.environment_id}
        items={environment}
      />,
    ],
    [
      'repository',
      t('column.repository'),
      <ResourceName
        key="repository"
        to="/project/$projectId/repositories"
        project={project}
        id={template.repository_id}
        items={repository}
      />,
    ],
    ...(next === undefined
      ? []
      : [
          [
            'next',
            t('template.nextStart'),
            <time key="next" dateTime={next}>
              {exactTime(next)}
            </time>,
          ] as const,
        ]),
  ];
  return (
    <dl className={css.detail}>
      {values.map(([key, term, value]) => (
        <div key={key}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};
