import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import css from './selection.module.css';
import type { Selection } from './use-selection.ts';

/** The checkbox that selects a row. Shift and a click select all rows since the last one. */
export const RowCheck = ({
  id,
  name,
  selection,
}: {
  id: number;
  name: string;
  selection: Pick<Selection, 'has' | 'toggle'>;
}) => {
  const { t } = useTranslation();
  return (
    <label className={css.target}>
      <input
        type="checkbox"
        className={css.check}
        aria-label={t('selection.row', { name })}
        checked={selection.has(id)}
        onChange={({ nativeEvent }) => selection.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  );
};

/** The checkbox that selects all rows, or none. */
export const AllCheck = ({ selection }: { selection: Selection }) => {
  const { t } = useTranslation();
  const box = useRef<HTMLInputElement>(null);
  const isPart = selection.ids.length > 0 && !selection.isAll;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart;
  }, [isPart]);
  return (
    <label className={css.target}>
      <input
        ref={box}
        type="checkbox"
        className={css.check}
        aria-label={t('selection.all')}
        checked={selection.isAll}
        onChange={selection.toggleAll}
      />
    </label>
  );
};

/** Selects a row when Space is pressed on a link in it, for which the key has no other meaning. */
export const selectOnSpace = (event: KeyboardEvent, id: number, selection: Pick<Selection, 'toggle'>): void => {
  if (event.key !== ' ' || !(event.target instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  selection.toggle(id, event.shiftKey);
};
