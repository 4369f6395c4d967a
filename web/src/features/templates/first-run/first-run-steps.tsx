import type { Template } from '@signalbox/contract';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
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
  tasksQuery,
  templatesQuery,
  userQuery,
} from '../../../api/queries.ts';
import { mayWith } from '../../../ui/access/permissions.ts';
import { RunLink } from '../run-link.tsx';
import { FirstRunStep } from './first-run-step.tsx';
import css from './first-run-steps.module.css';
import { NewObjectButton } from './new-object-button.tsx';
import { TemplateStep } from './template-step.tsx';

const RESOURCES = [
  { kind: 'key', title: 'firstRun.key', text: 'firstRun.keyText', to: '/project/$projectId/keys' },
  {
    kind: 'repository',
    title: 'firstRun.repository',
    text: 'firstRun.repositoryText',
    to: '/project/$projectId/repositories',
  },
  {
    kind: 'inventory',
    title: 'firstRun.inventory',
    text: 'firstRun.inventoryText',
    to: '/project/$projectId/inventory',
  },
  {
    kind: 'environment',
    title: 'firstRun.environment',
    text: 'firstRun.environmentText',
    to: '/project/$projectId/environment',
  },
] as const;

const Steps = ({ project, templates }: { project: number; templates: readonly Template[] }) => {
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
  const objects = { key: keys, repository: repositories, inventory: inventories, environment: environments };
  const missing = RESOURCES.find(({ kind }) => objects[kind].length === 0)?.kind;
  const hasTemplate = templates.length > 0;
  const next = hasTemplate ? 'run' : (missing ?? 'template');
  const created = (kind: string) => events?.filter((event) => event.kind === `${kind}.created`);
  const name = projects?.find(({ id }) => id === project)?.name ?? '';
  const runnable = templates.find(({ id }) => mayWith(role, id, 'run'));
  return (
    <div className={css.steps}>
      <h2>{t(hasTemplate ? 'firstRun.titleRun' : 'firstRun.title', { project: name })}</h2>
      <p>{t('firstRun.text')}</p>
      <ol aria-label={t('firstRun.steps')}>
        {RESOURCES.map(({ kind, title, text, to }, index) => (
          <FirstRunStep
            key={kind}
            number={index + 1}
            title={t(title)}
            text={t(text)}
            items={objects[kind]}
            link={({ id, name: named }) => (
              <Link to={to} params={{ projectId: project }} search={{ edit: id }}>
                {named}
              </Link>
            )}
            more={(shown) => (
              <Link to={to} params={{ projectId: project }} search={{}}>
                {shown}
              </Link>
            )}
            created={created(kind)}
            isNext={kind === next}
          >
            {kind === next ? <NewObjectButton kind={kind} /> : null}
          </FirstRunStep>
        ))}
        <TemplateStep
          number={RESOURCES.length + 1}
          project={project}
          role={role}
          templates={templates}
          repositories={repositories}
          created={created('template')}
          isNext={next === 'template'}
        />
        <FirstRunStep
          number={RESOURCES.length + 2}
          title={t('firstRun.run')}
          text={t('firstRun.runText')}
          isNext={next === 'run'}
        >
          {next === 'run' && runnable ? <RunLink template={runnable} variant="primary" isNamed /> : null}
        </FirstRunStep>
      </ol>
      {user.can_create_project && !hasTemplate ? (
        <p>
          {t('firstRun.exploring')} <Link to="/project/new">{t('firstRun.demo')}</Link>. {t('firstRun.demoText')}
        </p>
      ) : null}
    </div>
  );
};

/** Shown while a project has no tasks: the steps to its first run, and which of them are done. */
export const FirstRunSteps = ({ project }: { project: number }) => {
  const { data: templates } = useQuery(templatesQuery(project));
  const mayBeFirst = templates?.every(({ last_task }) => last_task === null) ?? false;
  const { data: tasks } = useInfiniteQuery({ ...tasksQuery(project), enabled: mayBeFirst });
  if (!templates || !mayBeFirst || tasks?.pages[0]?.length !== 0) return null;
  return <Steps project={project} templates={templates} />;
};
