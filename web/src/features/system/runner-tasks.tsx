import type { RunnerTask } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { arrange, type ListState } from '../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../ui/lists/list-table.tsx';
import table from '../../ui/lists/table.module.css';
import { StatusLabel } from '../../ui/tasks/status-icon.tsx';
import { Ago, Duration } from '../../ui/time/times.tsx';
import css from './runner-page.module.css';

const COLUMNS: readonly ShownColumn<RunnerTask>[] = [
  {
    id: 'task',
    title: 'column.task',
    text: ({ id, tpl_alias }) => `#${id} ${tpl_alias}`,
    order: ({ id }) => -id,
    isDescending: true,
    cell: ({ id, project_id: projectId, template_id: templateId, tpl_alias }) => (
      <span className={table.cell}>
        <Link to="/project/$projectId/tasks/$taskId" params={{ projectId, taskId: id }} search={{}}>
          #{id}
        </Link>
        <Link
          className="cut"
          to="/project/$projectId/templates/$templateId"
          params={{ projectId, templateId }}
          search={{}}
          title={tpl_alias}
        >
          {tpl_alias}
        </Link>
      </span>
    ),
  },
  {
    id: 'project',
    title: 'shell.project',
    text: ({ project_name }) => project_name,
    width: '22%',
    cell: ({ project_id: projectId, project_name }) => (
      <Link to="/project/$projectId/history" params={{ projectId }} search={{}}>
        {project_name}
      </Link>
    ),
  },
  {
    id: 'status',
    title: 'column.status',
    text: ({ status }) => status,
    width: '16%',
    cell: ({ status }) => <StatusLabel status={status} />,
  },
  {
    id: 'start',
    title: 'column.start',
    text: ({ start, created }) => start ?? created,
    order: ({ start, created }) => -Date.parse(start ?? created),
    isDescending: true,
    width: '14%',
    cell: ({ start, created }) => <Ago at={start ?? created} />,
  },
  {
    id: 'duration',
    title: 'column.duration',
    text: () => '',
    width: '12%',
    cell: ({ start, end }) => <Duration start={start} end={end} />,
  },
];

interface RunnerTasksProps {
  title: string;
  tasks: readonly RunnerTask[];
  /** Text in place of an empty list. */
  none: string;
}

/** A list of tasks of a runner with its heading. */
export const RunnerTasks = ({ title, tasks, none }: RunnerTasksProps) => {
  const [state, setState] = useState<ListState>({});
  return (
    <section className={css.section}>
      <h2>{title}</h2>
      {tasks.length === 0 ? (
        <p className="faint">{none}</p>
      ) : (
        <ListTable
          label={title}
          columns={[...COLUMNS]}
          rows={arrange(tasks, COLUMNS, state)}
          keyOf={({ id }) => id}
          state={state}
          onState={setState}
        />
      )}
    </section>
  );
};
