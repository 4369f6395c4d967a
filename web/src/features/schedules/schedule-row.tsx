import { Switch } from '@mantine/core';
import type { Schedule, ScheduleOutcomes } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { memo, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { eventText } from '../../lang/event-texts.ts';
import { listText } from '../../lang/locale.ts';
import { IconButton, iconButtonClass } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { DialogLink } from '../../ui/basics/links.tsx';
import { RowActions } from '../../ui/lists/row-actions.tsx';
import { RowCheck } from '../../ui/lists/row-check.tsx';
import table from '../../ui/lists/table.module.css';
import type { Selection } from '../../ui/lists/use-selection.ts';
import { OutcomeStrip } from '../../ui/tasks/outcome-strip.tsx';
import { StatusLabel } from '../../ui/tasks/status-icon.tsx';
import { TaskLink } from '../../ui/tasks/task-cells.tsx';
import { useNowAs } from '../../ui/time/clock.ts';
import { Duration } from '../../ui/time/times.tsx';
import { isUnanswered } from '../../ui/time/unanswered.ts';
import { dayAndTime, distanceText, longDuration, shownZone, whenText } from '../../ui/time/when-text.ts';
import { isDone } from './group-chips.tsx';
import { NextTimes } from './next-times.tsx';
import css from './schedules.module.css';

/** A schedule with the name of its template. */
export type ListedSchedule = Schedule & { readonly template_name: string };

/** The name of a schedule, or its due times if it has none. */
export const useScheduleName = (): ((schedule: Schedule) => string) => {
  const { t } = useTranslation();
  return useCallback((schedule) => schedule.name || whenText(t, schedule), [t]);
};

const Distance = ({ at }: { at: string }) => useNowAs((now) => distanceText(at, now));

/** The next start with its distance, or why there is none. A problem of the last due time is below it. */
export const NextRun = ({ schedule }: { schedule: Schedule }) => {
  const { active, next_start, problem, freeze, missing_answers } = schedule;
  const { t } = useTranslation();
  const text = active ? (next_start === null ? t('schedules.noNext') : dayAndTime(next_start)) : t('schedule.paused');
  return (
    <>
      <span className={next_start === null ? 'muted' : undefined}>{text}</span>
      {freeze === null ? null : (
        <small className={css.problem} title={freeze.reason}>
          {t(freeze.held ? 'freeze.holds' : 'freeze.skips', { name: freeze.name, reason: freeze.reason })}
        </small>
      )}
      {isUnanswered(schedule) ? (
        <small className={css.problem}>{t('schedules.unanswered', { names: listText(missing_answers) })}</small>
      ) : null}
      {problem === null ? (
        next_start === null ? null : (
          <small>
            <Distance at={next_start} />
          </small>
        )
      ) : (
        <small className={css.problem} title={eventText(problem)}>
          {t('schedules.notStarted', { time: dayAndTime(problem.time) })}
        </small>
      )}
    </>
  );
};

/** When a schedule is due, with its time zone and its random delay. */
export const When = ({ schedule }: { schedule: Schedule }) => {
  const { t } = useTranslation();
  const { jitter_seconds } = schedule;
  const spread = jitter_seconds === 0 ? [] : [t('schedules.spread', { duration: longDuration(jitter_seconds) })];
  return (
    <>
      <span>{whenText(t, schedule)}</span>
      <small>{[shownZone(schedule), ...spread].join(t('separator.comma'))}</small>
    </>
  );
};

const LastTasks = ({ tasks }: { tasks: ScheduleOutcomes['tasks'] }) => {
  const { t } = useTranslation();
  if (tasks.length === 0) return null;
  return (
    <ul className={css.tasks} aria-label={t('schedules.lastTasks')}>
      {tasks.slice(0, 5).map((task) => (
        <li key={task.id}>
          <TaskLink id={task.id} />
          <StatusLabel status={task.status} />
          <Duration start={task.start} end={task.end} />
        </li>
      ))}
    </ul>
  );
};

interface ScheduleRowProps {
  schedule: ListedSchedule;
  outcomes: ScheduleOutcomes['tasks'];
  mayEdit: boolean;
  mayRun: boolean;
  /** Whether the list has a column for buttons. */
  hasActions: boolean;
  isOpen: boolean;
  isBusy: boolean;
  onToggle: (id: number) => void;
  onActive: (change: { id: number; active: boolean }) => void;
  onEdit: (id: number) => void;
  onDelete: (schedule: ListedSchedule) => void;
  /** Selects or deselects the row; undefined for users who may not edit schedules. */
  onSelect: Selection['toggle'] | undefined;
  isSelected: boolean;
}

/** A row of the list. It unfolds to show the next due times and the last tasks. */
export const ScheduleRow = memo((props: ScheduleRowProps) => {
  const {
    schedule,
    outcomes,
    mayEdit,
    mayRun,
    hasActions,
    isOpen,
    isBusy,
    onToggle,
    onActive,
    onEdit,
    onDelete,
    onSelect,
    isSelected,
  } = props;
  const { t } = useTranslation();
  const name = useScheduleName()(schedule);
  const selection = onSelect && { has: () => isSelected, toggle: onSelect };
  return (
    <>
      <tr className={isOpen ? table.open : undefined} data-schedule={schedule.id}>
        <td className={css.name}>
          <span className={table.cell}>
            {selection ? <RowCheck id={schedule.id} name={name} selection={selection} /> : null}
            <IconButton
              icon={isOpen ? 'down' : 'next'}
              label={t('schedules.unfold', { name })}
              small
              aria-expanded={isOpen}
              onClick={() => onToggle(schedule.id)}
            />
            <span className={css.lines}>
              <button type="button" className={css.edit} onClick={() => onEdit(schedule.id)} title={name}>
                {name}
              </button>
              <small>
                <Link
                  to="/project/$projectId/templates/$templateId"
                  params={{ projectId: schedule.project_id, templateId: schedule.template_id }}
                  search={{}}
                  title={schedule.template_name}
                >
                  {schedule.template_name}
                </Link>
              </small>
            </span>
          </span>
        </td>
        <td className={css.when}>
          <span className={css.lines}>
            <When schedule={schedule} />
          </span>
        </td>
        <td className={css.next}>
          <span className={css.lines}>
            <NextRun schedule={schedule} />
          </span>
        </td>
        <td className={css.outcomes}>
          <OutcomeStrip tasks={outcomes} />
        </td>
        <td className={css.active}>
          {isDone(schedule) ? (
            <span className="muted">{t('schedules.done')}</span>
          ) : (
            <Switch
              aria-label={t('schedules.activeOf', { name })}
              checked={schedule.active}
              disabled={!mayEdit || isBusy}
              onChange={(event) => onActive({ id: schedule.id, active: event.currentTarget.checked })}
            />
          )}
        </td>
        {hasActions ? (
          <td className={css.actions}>
            {mayRun ? (
              <DialogLink
                className={iconButtonClass()}
                search={{ run: schedule.template_id, schedule: schedule.id }}
                aria-label={t('schedules.runNow', { name })}
                data-tooltip={t('schedules.runNow', { name })}
              >
                <Icon name="play" />
              </DialogLink>
            ) : null}
            {mayEdit ? (
              <RowActions name={name} onEdit={() => onEdit(schedule.id)} onDelete={() => onDelete(schedule)} />
            ) : null}
          </td>
        ) : null}
      </tr>
      {isOpen ? (
        <tr className={css.details}>
          <td colSpan={hasActions ? 6 : 5}>
            <NextTimes schedule={schedule} />
            <LastTasks tasks={outcomes} />
          </td>
        </tr>
      ) : null}
    </>
  );
});
