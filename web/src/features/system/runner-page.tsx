import type { RunnerDetails } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../api/api-error.ts';
import { projectsQuery } from '../../api/queries.ts';
import { runnerQuery } from '../../api/runner-queries.ts';
import { usePageApps } from '../../apps/page-apps.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { providedText } from '../../ui/execution-environment/environment-text.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { NotFoundNotice } from '../../ui/page/not-found-notice.tsx';
import { PageHeader } from '../../ui/page/page.tsx';
import { Ago } from '../../ui/time/times.tsx';
import { RunnerActions } from './runner-actions.tsx';
import css from './runner-page.module.css';
import { RunnerState } from './runner-state.tsx';
import { RunnerTasks } from './runner-tasks.tsx';
import { Values } from './values.tsx';

/** The projects whose tasks a runner takes, as links. */
const Projects = ({ ids }: { ids: readonly number[] | null }) => {
  const { t } = useTranslation();
  const { data: projects = [] } = useQuery(projectsQuery());
  if (ids === null) return t('runners.allProjects');
  if (ids.length === 0) return t('runners.noProject');
  return (
    <span className={css.links}>
      {ids.map((projectId) => (
        <Link key={projectId} to="/project/$projectId/history" params={{ projectId }} search={{}}>
          {projects.find(({ id }) => id === projectId)?.name ?? `#${projectId}`}
        </Link>
      ))}
    </span>
  );
};

const RunnerValues = ({ runner }: { runner: RunnerDetails }) => {
  const { t } = useTranslation();
  const apps = usePageApps();
  const { last_contact: contact } = runner;
  const rows: readonly (readonly [string, ReactNode])[] = [
    ['column.status', <RunnerState key="state" runner={runner} />],
    ['runners.lastContact', contact === null ? t('runners.never') : <Ago key="contact" at={contact} />],
    ['runners.slotsUsed', t('runners.tasksOf', { tasks: runner.tasks, slots: runner.slots })],
    ...(runner.ephemeral ? ([['runners.ephemeral', t('runners.oneTask')]] as const) : []),
    ['runners.tags', runner.tags.join(', ') || '–'],
    ['runners.projects', <Projects key="projects" ids={runner.projects} />],
    ['column.version', runner.version || '–'],
    ['executionEnvironment.plural', providedText(t, runner.environments) || '–'],
    [
      'runners.apps',
      runner.apps.map(({ name, version }) => `${apps[name]?.title ?? name} ${version}`.trim()).join(', ') || '–',
    ],
    ['runners.runAs', contact === null ? '–' : (runner.run_as ?? t('runners.own'))],
  ];
  return <Values values={rows.map(([term, value]) => [t(term), value])} />;
};

interface RunnerPageProps {
  id: number;
  onRemoved: () => Promise<void>;
}

/** The page of one runner, for administrators: its state, settings and tasks. */
export const RunnerPage = ({ id, onRemoved }: RunnerPageProps) => {
  const { t } = useTranslation();
  const query = useQuery({ ...runnerQuery(id), refetchInterval: 5000 });
  const runner = query.data;
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <>
        <PageHeader title={t('notFound.runner')} />
        <NotFoundNotice what="runner">
          <Link to="/runners">{t('runners.title')}</Link>
        </NotFoundNotice>
      </>
    );
  return (
    <>
      <PageHeader title={runner?.name ?? t('runners.title')}>
        {runner ? <RunnerActions runner={runner} onRemoved={onRemoved} /> : null}
      </PageHeader>
      {query.error ? <LoadError text={errorText(query.error)} retry={() => void query.refetch()} /> : null}
      {runner ? (
        <>
          {runner.duplicate_seen === null ? null : (
            <Alert colour="stop">{t('runners.duplicate', { name: runner.name })}</Alert>
          )}
          {runner.description === '' ? null : <p className={css.description}>{runner.description}</p>}
          <RunnerValues runner={runner} />
          <RunnerTasks title={t('runners.current')} tasks={runner.current_tasks} none={t('runners.noCurrent')} />
          <RunnerTasks title={t('runners.last')} tasks={runner.last_tasks} none={t('runners.noLast')} />
        </>
      ) : null}
    </>
  );
};
