import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../basics/icon.tsx';
import { type Column, type ListState, nextSort, sortedBy } from './list-state.ts';
import css from './list-table.module.css';
import { AllCheck, RowCheck, selectOnSpace } from './row-check.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';
import table from './table.module.css';
import type { Selection } from './use-selection.ts';

export interface ShownColumn<T> extends Column<T> {
  /** Width as a share of the table; the first column takes the rest. */
  readonly width?: string;
  readonly cell?: (row: T) => ReactNode;
  /** Whether long texts wrap to a second line instead of being truncated. */
  readonly wraps?: boolean;
}

interface ListTableProps<T> {
  label: string;
  columns: readonly ShownColumn<T>[];
  /** Sorted and filtered rows; undefined while they load. */
  rows: readonly T[] | undefined;
  keyOf: (row: T) => number;
  state: ListState;
  onState: (change: ListState) => void;
  /** Buttons at the end of a row. */
  actions?: ((row: T) => ReactNode) | undefined;
  /** Checkboxes that select rows. */
  select?: RowSelection<T> | undefined;
}

export interface RowSelection<T> {
  readonly selection: Selection;
  /** The name of a row for screen readers. */
  readonly nameOf: (row: T) => string;
  readonly isSelectable: (row: T) => boolean;
}

/** The header of a column; a click sorts by it. */
export const SortHead = <T,>({
  column,
  state,
  first,
  onState,
  className,
  before,
}: {
  column: ShownColumn<T>;
  state: ListState;
  first: string;
  onState: (change: ListState) => void;
  className?: string | undefined;
  /** Content before the button, such as a checkbox. */
  before?: ReactNode;
}) => {
  const { t } = useTranslation();
  const { id, descending } = sortedBy(state);
  const isMine = (id === '' ? first : id) === column.id;
  const isDown = descending !== (column.isDescending ?? false);
  return (
    <th
      scope="col"
      className={className}
      style={column.width === undefined ? undefined : { width: column.width }}
      aria-sort={isMine ? (isDown ? 'descending' : 'ascending') : undefined}
    >
      {before}
      <button type="button" className={table.sort} onClick={() => onState({ sort: nextSort(state, column.id, first) })}>
        {t(column.title)}
        {isMine ? <Icon name={isDown ? 'down' : 'up'} /> : null}
      </button>
    </th>
  );
};

/** A table of named objects. A click on a header sorts it; on phones each row is a card. */
export const ListTable = <T,>({ label, columns, rows, keyOf, state, onState, actions, select }: ListTableProps<T>) => {
  const { t } = useTranslation();
  const first = columns[0]?.id ?? '';
  return (
    <div className={table.scroll}>
      <table
        className={`${table.table} ${table.cards} ${css.list} ${select ? css.selects : ''}`}
        aria-label={label}
        aria-busy={rows === undefined}
      >
        <thead>
          <tr>
            {select ? (
              <th scope="col" className={css.check}>
                <AllCheck selection={select.selection} />
              </th>
            ) : null}
            {columns.map((column) => (
              <SortHead key={column.id} column={column} state={state} first={first} onState={onState} />
            ))}
            {actions ? (
              <th scope="col" className={css.actions}>
                <span className="sr">{t('column.actions')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows === undefined ? <SkeletonRows columns={columns.length + (actions ? 1 : 0) + (select ? 1 : 0)} /> : null}
          {rows?.map((row) => (
            <tr
              key={keyOf(row)}
              onKeyDown={
                select?.isSelectable(row) ? (event) => selectOnSpace(event, keyOf(row), select.selection) : undefined
              }
            >
              {select ? (
                <td className={css.check}>
                  {select.isSelectable(row) ? (
                    <RowCheck id={keyOf(row)} name={select.nameOf(row)} selection={select.selection} />
                  ) : null}
                </td>
              ) : null}
              {columns.map((column, at) => (
                <td
                  key={column.id}
                  className={`${at === 0 ? css.first : css.other} ${column.wraps ? css.wraps : ''}`}
                  data-label={t(column.title)}
                  title={column.cell ? undefined : column.text(row)}
                >
                  {column.cell ? column.cell(row) : column.text(row) || '–'}
                </td>
              ))}
              {actions ? <td className={css.actions}>{actions(row)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
