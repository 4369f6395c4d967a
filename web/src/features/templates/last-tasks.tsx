import type { Task, Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { templateTasksQuery } from '../../api/queries.ts';
import { SkeletonRows } from '../../ui/lists/skeleton-rows.tsx';
import table from '../../ui/lists/table.module.css';
import { LoadError } from '../../ui/page/load-error.tsx';
import { shownStatus } from '../../ui/tasks/status.ts';
import { StatusLabel } from '../../ui/tasks/status-icon.tsx';
import { TaskBy, Version } from '../../ui/tasks/task-cells.tsx';
import { Duration } from '../../ui/time/times.tsx';
import { AgainLink } from './run-link.tsx';
import type { TemplateColumn } from './template-list.ts';
import css from './templates.module.css';

const SHOWN = 5;

// The cells follow the columns of the table: the duration is below the outcomes, the message below the last task.
const cell = (column: TemplateColumn, task: Task): ReactNode => {
  switch (column) {
    case 'status':
      return <StatusLabel status={shownStatus(task)} />;
    case 'outcomes':
      return <Duration start={task.start} end={task.end} />;
    case 'version':
      return <Version task={task} />;
    case 'last_task':
      return <span title={task.message}>{task.message}</span>;
    default:
      return null;
  }
};

interface LastTasksProps {
  template: Template;
  columns: readonly TemplateColumn[];
  mayRun: boolean;
}

/** The last five tasks of a template as rows below its own. */
export const LastTasks = ({ template, columns, mayRun }: LastTasksProps) => {
  const { t } = useTranslation();
  const query = useQuery(templateTasksQuery(template.project_id, template.id, SHOWN));
  const width = columns.length + 2;
  const tasks = (query.data ?? []).slice(0, SHOWN);
  if (query.isPending)
    return <SkeletonRows columns={width} rows={Math.min(SHOWN, template.last_task === null ? 1 : SHOWN)} />;
  if (tasks.length === 0) {
    return (
      <tr className={`${table.sub} ${table.last}`}>
        <td colSpan={width} className={css.nothing}>
          {query.error ? (
            <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
          ) : (
            t('status.none')
          )}
        </td>
      </tr>
    );
  }
  return tasks.map((task, at) => (
    <tr key={task.id} className={`${table.sub} ${at === tasks.length - 1 ? table.last : ''}`}>
      <td className={css.subName}>
        <TaskBy task={task} />
      </td>
      {columns.map((column) => (
        <td key={column} className={css[column]}>
          {cell(column, task)}
        </td>
      ))}
      <td className={`${css.run} ${table.sticky}`}>
        {mayRun ? <AgainLink template={template.id} task={task.id} /> : null}
      </td>
    </tr>
  ));
};
