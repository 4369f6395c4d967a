import type { Task } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StartedBy } from '../../ui/task-cells.tsx';
import { typeLook } from '../../ui/template-type.ts';
import { exactTime } from '../../ui/time.ts';
import css from './task.module.css';

const pretty = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
};

const moment = (at: string | null): string => (at === null ? '–' : exactTime(at));

/** Everything that went into a task, as it was. */
export const Details = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const yes = (flag: boolean) => t(flag ? 'answer.yes' : 'answer.no');
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t('column.type'), t(typeLook(task.tpl_type).word)],
    [t('column.playbook'), <code key="playbook">{task.tpl_playbook}</code>],
    [t('column.user'), <StartedBy key="by" task={task} />],
    [t('details.created'), moment(task.created)],
    [t('column.start'), moment(task.start)],
    [t('details.end'), moment(task.end)],
    [t('task.commit'), task.commit_hash === null ? '–' : <code key="commit">{task.commit_hash}</code>],
    [t('newTask.dryRun'), yes(task.dry_run)],
    [t('newTask.debug'), yes(task.debug)],
    [t('newTask.diff'), yes(task.diff)],
    [t('newTask.limit'), task.limit === '' ? '–' : <code key="limit">{task.limit}</code>],
    [t('newTask.arguments'), <pre key="arguments">{pretty(task.arguments)}</pre>],
    [t('details.answers'), <pre key="answers">{pretty(task.environment)}</pre>],
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={css.scroll} tabIndex={0} aria-label={t('task.tabDetails')}>
      <dl className={css.details}>
        {rows.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
