import type { Task, Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { environmentsQuery, inventoryQuery, repositoriesQuery, templateTasksQuery } from '../../api/queries.ts';
import { usePageApp } from '../../apps/page-apps.ts';
import { durationText, usualDuration } from '../../ui/time/time.ts';
import css from './new-task.module.css';

const Detail = ({ term, children, small }: { term: string; children: ReactNode; small?: ReactNode }) => (
  <>
    <dt>{term}</dt>
    <dd>
      {children}
      {small ? <small>{small}</small> : null}
    </dd>
  </>
);

/** The currently deployed version and the new one. */
const DeployVersion = ({ last, build }: { last: string | null; build: Task | undefined }) => {
  const { t } = useTranslation();
  if (!build?.version) return null;
  return (
    <Detail term={t('column.version')}>
      {last === null || last === build.version ? null : (
        <span className="muted">{t('newTask.fromVersion', { last })} </span>
      )}
      <b className={css.next}>{build.version}</b>
    </Detail>
  );
};

/** Overview of everything that the task will use. */
export const WhatWillRun = ({ template, build }: { template: Template; build: Task | undefined }) => {
  const { t } = useTranslation();
  const { project_id: project } = template;
  const { file, features } = usePageApp(template.app);
  const { data: inventory } = useQuery(inventoryQuery(project));
  const { data: environment } = useQuery(environmentsQuery(project));
  const { data: repository } = useQuery(repositoriesQuery(project));
  const { data: tasks = [] } = useQuery(templateTasksQuery(project, template.id, 20));
  const from = repository?.find(({ id }) => id === template.repository_id);
  const usual = usualDuration(tasks);
  const ended = tasks.filter(({ status }) => status === 'success' || status === 'error');
  const good = ended.filter(({ status }) => status === 'success').length;
  const lastGood = tasks.find(({ status }) => status === 'success')?.version ?? null;
  return (
    <aside className={css.rail} aria-label={t('newTask.what')}>
      <h3>{t('newTask.what')}</h3>
      <dl>
        <DeployVersion last={lastGood} build={build} />
        <Detail term={t(file.column)}>
          <span className="mono">{template.playbook}</span>
        </Detail>
        {features.inventory ? (
          <Detail term={t('column.inventory')}>
            {inventory?.find(({ id }) => id === template.inventory_id)?.name ?? '–'}
          </Detail>
        ) : null}
        <Detail
          term={t('column.repository')}
          small={from?.git_branch ? <span className="mono">{from.git_branch}</span> : null}
        >
          {from?.name ?? '–'}
        </Detail>
        <Detail term={t('column.environment')}>
          {environment?.find(({ id }) => id === template.environment_id)?.name ?? '–'}
        </Detail>
        {template.arguments === '[]' || !features.arguments ? null : (
          <Detail term={t('newTask.templateArguments')}>
            <span className="mono">{template.arguments}</span>
          </Detail>
        )}
        {usual === undefined ? null : (
          <Detail term={t('newTask.usual')} small={t('newTask.succeeded', { good, count: ended.length })}>
            {durationText(usual)}
          </Detail>
        )}
      </dl>
    </aside>
  );
};
