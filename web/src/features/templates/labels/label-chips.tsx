import type { Label } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import css from './labels.module.css';

/** The name of a label with a dot in its colour. */
export const LabelChip = ({ label }: { label: Label }) => (
  <span className={css.chip} title={label.name}>
    <span className={css.dot} data-colour={label.colour} />
    <span className={css.chipName}>{label.name}</span>
  </span>
);

/** The labels of a template. */
export const LabelChips = ({ ids, labels }: { ids: readonly number[]; labels: readonly Label[] }) => {
  const shown = labels.filter(({ id }) => ids.includes(id));
  if (shown.length === 0) return null;
  return (
    <span className={css.chips}>
      {shown.map((label) => (
        <LabelChip key={label.id} label={label} />
      ))}
    </span>
  );
};

/** The heading of a group of rows. */
export const GroupHead = ({ label, columns }: { label: Label | 'none'; columns: number }) => {
  const { t } = useTranslation();
  return (
    <tr className={css.group}>
      <th scope="colgroup" colSpan={columns}>
        {label === 'none' ? t('labels.none') : <LabelChip label={label} />}
      </th>
    </tr>
  );
};
