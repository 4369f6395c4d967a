import { useTranslation } from 'react-i18next';
import { numberText } from '../lang/locale.ts';
import { Lamp } from './lamp.tsx';
import { type ChosenStatus, statusLook } from './status.ts';
import css from './status-chips.module.css';

/** What needs a person first: failures and what is active, before what went well. */
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
  /** The status of each row that the chips count. */
  statuses: readonly ChosenStatus[];
  /** Whether there are more rows than were counted. */
  isMore?: boolean | undefined;
  chosen: ChosenStatus | undefined;
  onChoose: (status: ChosenStatus | undefined) => void;
}

/** Every status that rows have, with their number; a click narrows the list to it, a second click takes that back. */
export const StatusChips = ({ statuses, isMore = false, chosen, onChoose }: StatusChipsProps) => {
  const { t } = useTranslation();
  const counts = new Map<ChosenStatus, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  const shown = ORDER.filter((status) => counts.has(status) || status === chosen);
  if (shown.length === 0) return null;
  return (
    <fieldset className={css.chips} aria-label={t('column.status')}>
      {shown.map((status) => {
        const look = statusLook(status);
        return (
          <button
            key={status}
            type="button"
            className={css.chip}
            aria-pressed={status === chosen}
            onClick={() => onChoose(status === chosen ? undefined : status)}
          >
            <Lamp colour={look.lamp} shape={look.shape} />
            {t(look.word)}
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
