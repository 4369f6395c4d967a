import type { Task, Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  environmentsQuery,
  infoQuery,
  inventoryQuery,
  keysQuery,
  projectsQuery,
  repositoriesQuery,
  templateTasksQuery,
} from '../../api/queries.ts';
import { usePageApp } from '../../apps/page-apps.ts';
import { listText, numberText } from '../../lang/locale.ts';
import { environmentParts, kindText } from '../../ui/execution-environment/environment-text.ts';
import { durationText, usualDuration } from '../../ui/time/time.ts';
import type { LaunchHosts } from './hosts/use-hosts.ts';
import css from './new-task.module.css';
import type { NewTaskFormState } from './new-task-form.tsx';
import type { OptionValues } from './options/option-values.ts';

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

/** The keys that a run uses, by name: those of its hosts, its repository and its vaults. */
const useKeyNames = (template: Template, { inventory_id, vaults }: OptionValues): string[] => {
  const { project_id: project } = template;
  const { data: keys = [] } = useQuery(keysQuery(project));
  const { data: inventories } = useQuery(inventoryQuery(project));
  const { data: repositories } = useQuery(repositoriesQuery(project));
  const inventory = inventories?.find(({ id }) => String(id) === inventory_id);
  const repository = repositories?.find(({ id }) => id === template.repository_id);
  const used = [
    inventory?.ssh_key_id,
    inventory?.become_key_id,
    repository?.ssh_key_id,
    ...vaults.map(({ vault_key_id }) => vault_key_id),
  ];
  const names = keys.filter(({ id, type }) => used.includes(id) && type !== 'none').map(({ name }) => name);
  return [...new Set(names)];
};

/** The execution environment of a new task; undefined until it is known. */
const useExecutionEnvironment = ({ execution_environment: own, project_id }: Template) => {
  const { data: projects } = useQuery(projectsQuery());
  const { data: info } = useQuery(infoQuery());
  const project = projects?.find(({ id }) => id === project_id);
  return own ?? (project && (project.execution_environment ?? info?.default_execution_environment));
};

interface WhatWillRunProps {
  template: Template;
  build: Task | undefined;
  form: NewTaskFormState;
  hosts: LaunchHosts;
}

/** The matching hosts, and how many of them failed in their newest run. */
const Hosts = ({ hosts }: { hosts: LaunchHosts }) => {
  const { t } = useTranslation();
  const { inventory, matching, runs } = hosts;
  if (!inventory || !matching) return null;
  const chosen = new Set(matching);
  const failed = runs?.hosts.filter(({ host, result }) => result !== 'ok' && chosen.has(host)).length ?? 0;
  return (
    <Detail
      term={t('launch.hosts')}
      small={failed > 0 ? t('launch.failedBefore', { count: failed, number: numberText(failed) }) : null}
    >
      {t('launch.match', {
        count: inventory.hosts.length,
        all: numberText(inventory.hosts.length),
        matching: numberText(matching.length),
      })}
    </Detail>
  );
};

/** Overview of everything that the task will use. */
export const WhatWillRun = ({ template, build, form, hosts }: WhatWillRunProps) => {
  const { t } = useTranslation();
  const { project_id: project } = template;
  const { file, features, command } = usePageApp(template.app);
  const keyNames = useKeyNames(template, form.values);
  const { data: inventory } = useQuery(inventoryQuery(project));
  const { data: environment } = useQuery(environmentsQuery(project));
  const { data: repository } = useQuery(repositoriesQuery(project));
  const { data: tasks = [] } = useQuery(templateTasksQuery(project, template.id, 20));
  const executed = useExecutionEnvironment(template);
  const from = repository?.find(({ id }) => id === template.repository_id);
  const usual = usualDuration(tasks);
  const ended = tasks.filter(({ status }) => status === 'success' || status === 'error');
  const good = ended.filter(({ status }) => status === 'success').length;
  const lastGood = tasks.find(({ status }) => status === 'success')?.version ?? null;
  return (
    <aside className={css.rail} aria-label={t('newTask.what')}>
      <div className={css.kept}>
        <h3>{t('newTask.what')}</h3>
        <p className={css.command}>
          {command(template, form.values).map((argument, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an argument may be repeated
            <Fragment key={index}>
              <span>{argument}</span>{' '}
            </Fragment>
          ))}
        </p>
        <dl>
          <DeployVersion last={lastGood} build={build} />
          <Detail term={t(file.column)}>
            <span className="mono">{template.playbook}</span>
          </Detail>
          {features.inventory ? (
            <Detail term={t('column.inventory')}>
              {inventory?.find(({ id }) => String(id) === form.values.inventory_id)?.name ?? '–'}
            </Detail>
          ) : null}
          <Hosts hosts={hosts} />
          <Detail
            term={t('column.repository')}
            small={<span className="mono">{form.values.git_branch || from?.git_branch}</span>}
          >
            {from?.name ?? '–'}
          </Detail>
          <Detail term={t('column.environment')}>
            {environment?.find(({ id }) => String(id) === form.values.environment_id)?.name ?? '–'}
          </Detail>
          {executed === undefined || executed.kind === 'system' ? null : (
            <Detail
              term={t('executionEnvironment.title')}
              small={<span className="mono">{environmentParts(executed).join(', ')}</span>}
            >
              {kindText(t, executed.kind)}
            </Detail>
          )}
          {keyNames.length > 0 ? <Detail term={t('launch.keysUsed')}>{listText(keyNames)}</Detail> : null}
          {usual === undefined ? null : (
            <Detail term={t('newTask.usual')} small={t('newTask.succeeded', { good, count: ended.length })}>
              {durationText(usual)}
            </Detail>
          )}
        </dl>
      </div>
    </aside>
  );
};
