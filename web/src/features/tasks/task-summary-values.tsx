import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { inventoryQuery, templateQuery } from '../../api/queries.ts';
import { usePageApp } from '../../apps/page-apps.ts';
import { listText, numberText } from '../../lang/locale.ts';
import { ResourceLink } from '../../ui/basics/resource-link.tsx';
import { signedText } from '../../ui/forms/number-text.ts';
import { StartedBy, TaskLink } from '../../ui/tasks/task-cells.tsx';
import { Ago } from '../../ui/time/times.tsx';
import { CommitHash } from './commit-hash.tsx';
import css from './task.module.css';

/** The options that change what a run does, each with its name, as one text; empty without options. */
const useOptions = (task: Task): string => {
  const { t } = useTranslation();
  const { dry_run, verbosity, diff, limit, tags, skip_tags, forks, runner_tags, priority } = task;
  const values: readonly (readonly [name: string, value: string])[] = [
    [t('newTask.limit'), limit],
    [t('launch.tags'), listText(tags)],
    [t('launch.skipTags'), listText(skip_tags)],
    [t('launch.verbosity'), verbosity > 0 ? `-${'v'.repeat(verbosity)}` : ''],
    [t('launch.forks'), forks === null ? '' : numberText(forks)],
    [t('launch.runnerTags'), listText(runner_tags)],
    [t('launch.priority'), priority === 0 ? '' : signedText(priority)],
    [t('newTask.dryRun'), dry_run ? t('answer.yes') : ''],
    [t('newTask.diff'), diff ? t('answer.yes') : ''],
  ];
  return values
    .filter(([, value]) => value !== '')
    .map(([name, value]) => t('task.option', { name, value }))
    .join('; ');
};

const Version = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  return (
    <>
      <span className="mono">{task.version}</span>
      {task.build_task_id === null ? null : (
        <>
          {' '}
          {t('task.from')} <TaskLink id={task.build_task_id} />
        </>
      )}
    </>
  );
};

/** Who started the task, with which message, version, commit, inventory and options. */
export const TaskSummaryValues = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const { data: template } = useQuery(templateQuery(task.project_id, task.template_id));
  const { data: inventory } = useQuery(inventoryQuery(task.project_id));
  const options = useOptions(task);
  const { features } = usePageApp(task.app);
  const values = [
    task.message === '' ? undefined : { term: t('newTask.message'), value: task.message, key: 'message' },
    {
      term: t('task.startedBy'),
      key: 'by',
      value: (
        <>
          <StartedBy task={task} />
          {t('separator.comma')}
          <Ago at={task.created} />
        </>
      ),
    },
    task.version === null ? undefined : { term: t('column.version'), key: 'version', value: <Version task={task} /> },
    task.commit_hash === null
      ? undefined
      : {
          term: t('task.commit'),
          key: 'commit',
          value: (
            <span title={task.commit_hash}>
              <CommitHash task={task} hash={task.commit_hash}>
                <span className={`mono ${css.hash}`}>{task.commit_hash.slice(0, 7)}</span>
              </CommitHash>{' '}
              <bdi>{task.commit_message}</bdi>
            </span>
          ),
        },
    features.inventory
      ? {
          term: t('column.inventory'),
          key: 'inventory',
          value: (
            <ResourceLink
              to="/project/$projectId/inventory"
              project={task.project_id}
              id={task.inventory_id ?? template?.inventory_id}
              items={inventory}
            />
          ),
        }
      : undefined,
    options === '' ? undefined : { term: t('task.flags'), key: 'flags', value: options },
  ].filter((one) => one !== undefined);
  return (
    <dl className={css.values}>
      {values.map(({ term, key, value }) => (
        <div key={key} data-value={key}>
          <dt>{term}</dt>
          <dd title={typeof value === 'string' ? value : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
};
