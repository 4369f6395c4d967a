import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import {
  environmentsQuery,
  eventsQuery,
  inventoryQuery,
  keysQuery,
  projectsQuery,
  repositoriesQuery,
  roleQuery,
  userQuery,
} from '../../../api/queries.ts';
import { mayDo } from '../../../ui/access/permissions.ts';
import { buttonClass } from '../../../ui/basics/button.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import { FirstRunStep } from './first-run-step.tsx';
import css from './first-run-steps.module.css';
import { NewObjectButton } from './new-object-button.tsx';

/** Shown while a project has no template: the steps to its first run, and which of them are done. */
export const FirstRunSteps = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  const { data: user } = useSuspenseQuery(userQuery());
  const { data: projects } = useQuery(projectsQuery());
  const { data: role } = useQuery(roleQuery(project));
  const { data: keys } = useQuery(keysQuery(project));
  const { data: repositories } = useQuery(repositoriesQuery(project));
  const { data: inventories } = useQuery(inventoryQuery(project));
  const { data: environments } = useQuery(environmentsQuery(project));
  const { data: events } = useQuery(eventsQuery(project));
  if (!role || !keys || !repositories || !inventories || !environments) return null;
  const resources = [
    { kind: 'key', title: 'firstRun.key', text: 'firstRun.keyText', to: '/project/$projectId/keys', items: keys },
    {
      kind: 'repository',
      title: 'firstRun.repository',
      text: 'firstRun.repositoryText',
      to: '/project/$projectId/repositories',
      items: repositories,
    },
    {
      kind: 'inventory',
      title: 'firstRun.inventory',
      text: 'firstRun.inventoryText',
      to: '/project/$projectId/inventory',
      items: inventories,
    },
    {
      kind: 'environment',
      title: 'firstRun.environment',
      text: 'firstRun.environmentText',
      to: '/project/$projectId/environment',
      items: environments,
    },
  ] as const;
  const next = resources.find(({ items }) => items.length === 0)?.kind ?? 'template';
  const name = projects?.find(({ id }) => id === project)?.name ?? '';
  return (
    <div className={css.steps}>
      <h2>{t('firstRun.title', { project: name })}</h2>
      <p>{t('firstRun.text')}</p>
      <ol aria-label={t('firstRun.steps')}>
        {resources.map(({ kind, title, text, to, items }, index) => (
          <FirstRunStep
            key={kind}
            number={index + 1}
            title={t(title)}
            text={t(text)}
            project={project}
            to={to}
            items={items}
            created={events?.filter((event) => event.kind === `${kind}.created`)}
            isNext={kind === next}
          >
            {kind === next ? <NewObjectButton kind={kind} /> : null}
          </FirstRunStep>
        ))}
        <FirstRunStep
          number={resources.length + 1}
          title={t('firstRun.template')}
          text={t('firstRun.templateText')}
          project={project}
          isNext={next === 'template'}
        >
          {next !== 'template' ? null : mayDo(role, 'edit_templates') ? (
            <Link
              className={buttonClass('primary')}
              to="/project/$projectId/templates/new/edit"
              params={{ projectId: project }}
              search={{}}
            >
              <Icon name="plus" />
              {t('templateForm.new')}
            </Link>
          ) : (
            <p>{t('firstRun.mayNot')}</p>
          )}
        </FirstRunStep>
        <FirstRunStep
          number={resources.length + 2}
          title={t('firstRun.run')}
          text={t('firstRun.runText')}
          project={project}
          isNext={false}
        />
      </ol>
      {user.can_create_project ? (
        <p>
          {t('firstRun.exploring')} <Link to="/project/new">{t('firstRun.demo')}</Link>. {t('firstRun.demoText')}
        </p>
      ) : null}
    </div>
  );
};
