import type { Label, Template } from '@signalbox/contract';
import { useState } from 'react';
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

/** Number of labels that are shown before all others are unfolded. */
const FOLDED = 10;

/** Whether a label is one of those with the most templates, or the chosen one. */
const isAmongFirst = (labels: readonly Label[], counts: ReadonlyMap<number, number>, chosen: number | undefined) => {
  const first = labels.toSorted((a, b) => (counts.get(b.id) ?? 0) - (counts.get(a.id) ?? 0)).slice(0, FOLDED);
  const ids = new Set([...first.map(({ id }) => id), chosen]);
  return ({ id }: Label): boolean => ids.has(id);
};

/** Filters the list by a label, and groups it by labels. */
export const LabelFilter = ({ labels, templates, chosen, isGrouped, onState }: LabelFilterProps) => {
  const { t } = useTranslation();
  const counts = new Map<number, number>();
  for (const id of templates.flatMap((template) => template.labels)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const [isWhole, setWhole] = useState(false);
  const used = labels.filter(({ id }) => counts.has(id) || id === chosen);
  if (used.length === 0) return null;
  const isFolded = used.length > FOLDED + 1 && !isWhole;
  const shown = isFolded ? used.filter(isAmongFirst(used, counts, chosen)) : used;
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
      {used.length > FOLDED + 1 ? (
        <button type="button" className={chips.chip} aria-expanded={!isFolded} onClick={() => setWhole(isFolded)}>
          {isFolded ? t('labels.every', { count: used.length, number: numberText(used.length) }) : t('labels.fewer')}
        </button>
      ) : null}
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
