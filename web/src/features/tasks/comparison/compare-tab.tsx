import { Select, Switch } from '@mantine/core';
import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { templateTasksQuery } from '../../../api/queries.ts';
import { comparisonQuery } from '../../../api/run-queries.ts';
import { numberText } from '../../../lang/locale.ts';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { statusStyle } from '../../../ui/tasks/status.ts';
import { StatusLabel } from '../../../ui/tasks/status-icon.tsx';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import { dayAndTime } from '../../../ui/time/when-text.ts';
import { ComparedCommits } from './compared-commits.tsx';
import { ComparedHosts } from './compared-hosts.tsx';
import { ComparedLog } from './compared-log.tsx';
import { ComparedSteps } from './compared-steps.tsx';
import { ComparedValues } from './compared-values.tsx';
import css from './comparison.module.css';
import { earlierOf, laterOf } from './task-order.ts';

/** Number of newest tasks of the template that are offered. */
const OFFERED = 100;

export interface CompareTabProps {
  task: Task;
  /** The other task. Undefined for the last one that succeeded. */
  other: number | undefined;
  /** Name of a step that is shown and highlighted, even if it does not differ. */
  step?: string | undefined;
  onOther: (other: number) => void;
}

/** What differs between a task and another one of its template. */
export const CompareTab = ({ task, other: chosen, step, onOther }: CompareTabProps) => {
  const { t } = useTranslation();
  const [wantsAll, setWantsAll] = useState<boolean>();
  const different = useQuery(comparisonQuery(task.project_id, task.id, chosen, true)).data;
  const lacksStep = step !== undefined && different !== undefined && !different.steps.some(({ name }) => name === step);
  const showsAll = wantsAll ?? lacksStep;
  const query = useQuery(comparisonQuery(task.project_id, task.id, chosen, !showsAll));
  const { data: tasks } = useQuery(templateTasksQuery(task.project_id, task.template_id, OFFERED));
  const comparison = query.data;
  const other = comparison?.other ?? null;
  const wanted = (showsAll ? comparison?.total : comparison?.different) ?? 0;
  const offered = (tasks ?? []).filter(({ id }) => id !== task.id);
  const listed = other && !offered.some(({ id }) => id === other.id) ? [other, ...offered] : offered;
  const optionText = ({ id, status, created }: Task): string =>
    t('compare.option', { id, status: t(statusStyle(status).labelKey), time: dayAndTime(created) });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={css.tab} tabIndex={0} aria-label={t('task.tabCompare')}>
      <div className={css.head}>
        <Select
          label={t('compare.with')}
          placeholder={t('compare.choose')}
          searchable
          allowDeselect={false}
          data={listed.map((one) => ({ value: String(one.id), label: optionText(one) }))}
          value={other ? String(other.id) : null}
          onChange={(id) => id !== null && onOther(Number(id))}
        />
        {other ? (
          <p>
            <TaskLink id={other.id} /> <StatusLabel status={other.status} /> <Ago at={other.created} />
          </p>
        ) : null}
      </div>
      {query.error ? <LoadError text={errorText(query.error)} retry={() => void query.refetch()} /> : null}
      {comparison && other === null ? <p className="muted">{t('compare.none')}</p> : null}
      {comparison && other ? (
        <>
          <ComparedValues task={task} other={other} comparison={comparison} />
          <ComparedCommits task={task} other={other} steps={comparison.steps} />
          {comparison.hosts ? <ComparedHosts hosts={comparison.hosts} /> : null}
          {comparison.total === 0 ? null : (
            <section className={css.part} aria-label={t('compare.steps')}>
              <div className={css.stepsHead}>
                <h2>{t('compare.steps')}</h2>
                <Switch
                  label={t('compare.allSteps', { count: comparison.total, number: numberText(comparison.total) })}
                  checked={showsAll}
                  onChange={(event) => setWantsAll(event.currentTarget.checked)}
                />
              </div>
              {comparison.steps.length < wanted ? (
                <p className="muted">
                  {t('compare.shown', { shown: numberText(comparison.steps.length), total: numberText(wanted) })}
                </p>
              ) : null}
              {comparison.different === 0 ? <p className="muted">{t('compare.sameSteps')}</p> : null}
              {comparison.steps.length === 0 ? null : (
                <ComparedSteps
                  earlier={earlierOf(task, other)}
                  later={laterOf(task, other)}
                  steps={comparison.steps}
                  shown={step}
                />
              )}
            </section>
          )}
          <ComparedLog key={other.id} task={task} other={other} />
        </>
      ) : null}
    </section>
  );
};
