import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/basics/icon.tsx';
import { AllCheck } from '../../ui/lists/row-check.tsx';
import table from '../../ui/lists/table.module.css';
import type { Selection } from '../../ui/lists/use-selection.ts';
import { COLUMN_LABELS } from './column-labels.ts';
import { nextSorting, type Sorting, type SortKey, type TemplateColumn } from './template-list.ts';
import css from './templates.module.css';

interface HeadProps {
  columns: readonly TemplateColumn[];
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  /** Undefined for users who cannot select rows. */
  selection: Selection | undefined;
}

const SortHead = ({
  by,
  sorting,
  onSort,
  before,
}: { by: SortKey; before?: ReactNode } & Omit<HeadProps, 'columns' | 'selection'>) => {
  const { t } = useTranslation();
  const mine = sorting.by === by;
  return (
    <th
      className={css[by]}
      scope="col"
      aria-sort={mine ? (sorting.descending ? 'descending' : 'ascending') : undefined}
    >
      {before}
      <button type="button" className={table.sort} onClick={() => onSort(nextSorting(sorting, by))}>
        {t(COLUMN_LABELS[by])}
        {mine ? <Icon name={sorting.descending ? 'down' : 'up'} /> : null}
      </button>
    </th>
  );
};

/** Column headers of the template list. A click sorts. */
export const TemplatesHead = ({ columns, sorting, onSort, selection }: HeadProps) => {
  const { t } = useTranslation();
  return (
    <thead>
      <tr>
        <SortHead
          by="name"
          sorting={sorting}
          onSort={onSort}
          before={
            selection ? (
              <span className={css.checkAll}>
                <AllCheck selection={selection} />
              </span>
            ) : null
          }
        />
        {columns.map((column) =>
          column === 'outcomes' ? (
            <th key={column} className={css[column]} scope="col">
              {t(COLUMN_LABELS[column])}
            </th>
          ) : (
            <SortHead key={column} by={column} sorting={sorting} onSort={onSort} />
          ),
        )}
        <th className={`${css.run} ${table.sticky}`} scope="col">
          <span className="sr">{t('column.actions')}</span>
        </th>
      </tr>
    </thead>
  );
};
