import type { Label, Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import chips from '../../../ui/lists/status-chips.module.css';
import css from './labels.module.css';

interface LabelFilterProps {
  labels: readonly Label[];
  /** The templates that match all other filters. */
  templates: readonly Template[];
  chosen: number | undefined;
  isGrouped: boolean;
  onState: (change: { label?: number | undefined; group?: 'label' | undefined }) => void;
}

/** Filters the list by a label, and groups it by labels. */
export const LabelFilter = ({ labels, templates, chosen, isGrouped, onState }: LabelFilterProps) => {
  const { t } = useTranslation();
  const counts = new Map<number, number>();
  for (const id of templates.flatMap((template) => template.labels)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const shown = labels.filter(({ id }) => counts.has(id) || id === chosen);
  if (shown.length === 0) return null;
  return (
    <fieldset className={css.filter} aria-label={t('labels.title')}>
      {shown.map(({ id, name, colour }) => (
        <button
          key={id}
          type="button"
          className={`${chips.chip} ${css.filterChip}`}
          title={name}
          aria-pressed={id === chosen}
          onClick={() => onState({ label: id === chosen ? undefined : id })}
        >
          <span className={css.dot} data-colour={colour} />
          <span className="cut">{name}</span>
          <small>{numberText(counts.get(id) ?? 0)}</small>
        </button>
      ))}
      <button
        type="button"
        className={chips.chip}
        aria-pressed={isGrouped}
        onClick={() => onState({ group: isGrouped ? undefined : 'label' })}
      >
        {t('labels.group')}
      </button>
    </fieldset>
  );
};
