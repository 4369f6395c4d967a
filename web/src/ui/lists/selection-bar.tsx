import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../basics/button.tsx';
import css from './selection.module.css';
import type { Selection } from './use-selection.ts';

/** The bar at the lower edge of the window with the number of selected rows, and the actions for them. */
export const SelectionBar = ({ selection, children }: { selection: Selection; children: ReactNode }) => {
  const { t } = useTranslation();
  const count = selection.ids.length;
  if (count === 0) return null;
  return (
    <div className={css.bar} role="toolbar" aria-label={t('selection.bar')}>
      <span className={css.count} role="status">
        {t('selection.count', { count })}
      </span>
      {children}
      <IconButton icon="close" label={t('selection.clear')} onClick={selection.clear} />
    </div>
  );
};
