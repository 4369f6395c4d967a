import type { Schedule } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../lang/locale.ts';
import css from '../../ui/lists/status-chips.module.css';

export type ScheduleGroup = 'active' | 'paused' | 'problem';

const GROUPS = [
  { group: 'active', labelKey: 'schedules.group.active' },
  { group: 'paused', labelKey: 'schedules.group.paused' },
  { group: 'problem', labelKey: 'schedules.group.problem' },
] as const;

/** Whether a schedule is active, paused, or started no task at its last due time. */
export const isInGroup = ({ active, problem }: Schedule, group: ScheduleGroup): boolean => {
  if (group === 'problem') return problem !== null;
  return active === (group === 'active');
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
