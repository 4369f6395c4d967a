import { useTranslation } from 'react-i18next';
import { IconButton } from '../basics/button.tsx';
import css from './table.module.css';

export interface PagerProps {
  /** The current page, from 0. */
  page: number;
  size: number;
  /** Number of known rows. */
  count: number;
  /** True when there are more than `count`. */
  more: boolean;
  onPage: (page: number) => void;
}

/** The range of visible rows, with buttons for the previous and next page. */
export const Pager = ({ page, size, count, more, onPage }: PagerProps) => {
  const { t } = useTranslation();
  const from = page * size + 1;
  const to = Math.min(count, from + size - 1);
  if (count === 0 || (count <= size && !more)) return null;
  return (
    <div className={css.pager}>
      <span>{t(more ? 'pager.rangeMore' : 'pager.range', { from, to, count })}</span>
      <IconButton
        icon="back"
        label={t('pager.previous')}
        small
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        icon="next"
        label={t('pager.next')}
        small
        disabled={to >= count && !more}
        onClick={() => onPage(page + 1)}
      />
    </div>
  );
};
