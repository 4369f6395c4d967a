import type { Task } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../ui/basics/icon.tsx';
import { RowCheck, selectOnSpace } from '../../../ui/lists/row-check.tsx';
import table from '../../../ui/lists/table.module.css';
import type { Selection } from '../../../ui/lists/use-selection.ts';
import { ExpectedEnd } from '../../../ui/tasks/expected-end.tsx';
import { shownStatus } from '../../../ui/tasks/status.ts';
import { StatusLabel } from '../../../ui/tasks/status-icon.tsx';
import { StartedByLines, TaskLink, Version } from '../../../ui/tasks/task-cells.tsx';
import { templateTypeStyle } from '../../../ui/tasks/template-type.ts';
import { Ago, Duration } from '../../../ui/time/times.tsx';
import { EndReasonText } from '../end-reason/end-reason-text.tsx';
import css from './history.module.css';

interface HistoryRowProps {
  task: Task;
  /** Selects or deselects the row; undefined for users who may do nothing with several tasks. */
  onSelect?: Selection['toggle'] | undefined;
  isSelected: boolean;
}

/** A row of the history. */
export const HistoryRow = memo(({ task, onSelect, isSelected }: HistoryRowProps) => {
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
        <small className={css.reason}>
          <ExpectedEnd task={task} />
        </small>
        {task.end_reason ? <EndReasonText reason={task.end_reason} className={`cut ${css.reason}`} /> : null}
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
