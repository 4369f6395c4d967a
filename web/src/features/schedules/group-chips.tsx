import type { Schedule } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../lang/locale.ts';
import css from '../../ui/lists/status-chips.module.css';
import { isUnanswered } from '../../ui/time/unanswered.ts';

export type ScheduleGroup = 'active' | 'paused' | 'done' | 'problem';

const GROUPS = [
  { group: 'active', labelKey: 'schedules.group.active' },
  { group: 'paused', labelKey: 'schedules.group.paused' },
  { group: 'done', labelKey: 'schedules.group.done' },
  { group: 'problem', labelKey: 'schedules.group.problem' },
] as const;

/** Whether an active schedule has no due time any more, such as one for a moment that has passed. */
export const isDone = ({ active, next_start }: Pick<Schedule, 'active' | 'next_start'>): boolean =>
  active && next_start === null;

/** Whether a schedule is active, paused or done, or started no task at its last due time. */
export const isInGroup = (schedule: Schedule, group: ScheduleGroup): boolean => {
  switch (group) {
    case 'problem':
      return schedule.problem !== null || isUnanswered(schedule);
    case 'paused':
      return !schedule.active;
    case 'done':
      return isDone(schedule);
    case 'active':
      return schedule.active && !isDone(schedule);
  }
};

interface GroupChipsProps {
  schedules: readonly Schedule[];
  chosen: ScheduleGroup | undefined;
  onChoose: (group: ScheduleGroup | undefined) => void;
}

/** Counts the schedules of each group. A click filters the list, a second click removes the filter. */
export const GroupChips = ({ schedules, chosen, onChoose }: GroupChipsProps) => {
  const { t } = useTranslation();
  const counted = GROUPS.map((one) => ({
    ...one,
    count: schedules.filter((schedule) => isInGroup(schedule, one.group)).length,
  }));
  return (
    <fieldset className={css.chips} aria-label={t('schedules.groups')}>
      {counted
        .filter(({ group, count }) => count > 0 || group === chosen)
        .map(({ group, labelKey, count }) => (
          <button
            key={group}
            type="button"
            className={css.chip}
            aria-pressed={group === chosen}
            onClick={() => onChoose(group === chosen ? undefined : group)}
          >
            {t(labelKey)}
            <small>{numberText(count)}</small>
          </button>
        ))}
    </fieldset>
  );
};
