import { useTranslation } from 'react-i18next';
import { numberText } from '../../lang/locale.ts';
import { type ChosenStatus, statusStyle } from '../tasks/status.ts';
import { StatusIcon } from '../tasks/status-icon.tsx';
import css from './status-chips.module.css';

/** Order of the chips: failures and active statuses come before successes. */
const ORDER: readonly ChosenStatus[] = [
  'error',
  'running',
  'starting',
  'stopping',
  'waiting',
  'stopped',
  'success',
  'none',
];

interface StatusChipsProps {
  /** The status of each row. */
  statuses: readonly ChosenStatus[];
  /** Whether there are more rows than `statuses` contains. */
  isMore?: boolean | undefined;
  chosen: ChosenStatus | undefined;
  onChoose: (status: ChosenStatus | undefined) => void;
}

/**
 * Shows each status of the rows with a count. A click filters the list by this status, a second click removes the
 * filter.
 */
export const StatusChips = ({ statuses, isMore = false, chosen, onChoose }: StatusChipsProps) => {
  const { t } = useTranslation();
  const counts = new Map<ChosenStatus, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  const shown = ORDER.filter((status) => counts.has(status) || status === chosen);
  if (shown.length === 0) return null;
  return (
    <fieldset className={css.chips} aria-label={t('column.status')}>
      {shown.map((status) => {
        const style = statusStyle(status);
        return (
          <button
            key={status}
            type="button"
            className={css.chip}
            aria-pressed={status === chosen}
            onClick={() => onChoose(status === chosen ? undefined : status)}
          >
            <StatusIcon colour={style.colour} shape={style.shape} />
            {t(style.labelKey)}
            <small>
              {numberText(counts.get(status) ?? 0)}
              {isMore ? '+' : ''}
            </small>
          </button>
        );
      })}
    </fieldset>
  );
};
