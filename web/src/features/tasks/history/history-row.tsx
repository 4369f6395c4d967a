import type { Task } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../ui/basics/icon.tsx';
import { RowCheck, selectOnSpace } from '../../../ui/lists/row-check.tsx';
import table from '../../../ui/lists/table.module.css';
import type { Selection } from '../../../ui/lists/use-selection.ts';
import { shownStatus } from '../../../ui/tasks/status.ts';
import { StatusLabel } from '../../../ui/tasks/status-icon.tsx';
import { StartedByLines, TaskLink, Version } from '../../../ui/tasks/task-cells.tsx';
import { templateTypeStyle } from '../../../ui/tasks/template-type.ts';
import { Ago, Duration } from '../../../ui/time/times.tsx';
import css from './history.module.css';
import { RowDetail } from './row-detail.tsx';

interface HistoryRowProps {
  task: Task;
  /** Position of a waiting task in the queue; null if it is unknown. */
  position: number | null;
  /** Selects or deselects the row; undefined for users who may do nothing with several tasks. */
  onSelect?: Selection['toggle'] | undefined;
  isSelected: boolean;
}

/** A row of the history. */
export const HistoryRow = memo(({ task, position, onSelect, isSelected }: HistoryRowProps) => {
  const { t } = useTranslation();
  const selection = onSelect && { has: () => isSelected, toggle: onSelect };
  const typeStyle = templateTypeStyle(task.tpl_type);
  return (
    <tr
      className={css.row}
      data-task={task.id}
      onKeyDown={selection ? (event) => selectOnSpace(event, task.id, selection) : undefined}
    >
      <td className={css.task}>
        <span className={table.cell}>
          {selection ? <RowCheck id={task.id} name={`#${task.id} ${task.tpl_alias}`} selection={selection} /> : null}
          <span title={t(typeStyle.labelKey)}>
            <Icon name={typeStyle.icon} className={css.type} />
          </span>
          <TaskLink id={task.id} />
          <Link
            className={`${table.name} cut`}
            title={task.tpl_alias}
            to="/project/$projectId/templates/$templateId"
            params={{ projectId: task.project_id, templateId: task.template_id }}
            search={{}}
          >
            {task.tpl_alias}
          </Link>
        </span>
        {task.message === '' ? null : (
          <small className={`cut ${css.message}`} title={task.message}>
            <bdi>{task.message}</bdi>
          </small>
        )}
      </td>
      <td className={css.version}>
        <Version task={task} />
      </td>
      <td className={css.status}>
        <StatusLabel status={shownStatus(task)} />
        <RowDetail task={task} position={position} />
      </td>
      <td className={css.user}>
        <StartedByLines task={task} />
      </td>
      <td className={css.start}>
        <Ago at={task.start ?? task.created} />
      </td>
      <td className={`${table.num} ${css.duration}`}>
        <Duration start={task.start} end={task.end} />
      </td>
    </tr>
  );
});
