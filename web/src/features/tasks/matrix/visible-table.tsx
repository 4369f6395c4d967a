import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { shownCells } from './matrix-cell.ts';
import type { Column } from './matrix-columns.ts';
import type { Row } from './matrix-rows.ts';
import { groupName, letterText } from './matrix-texts.ts';
import type { VisibleRange } from './use-visible.ts';

export interface VisibleTableProps {
  rows: readonly Row[];
  columns: readonly Column[];
  range: VisibleRange;
  onOpen: (row: number, column: number) => void;
}

/** The visible part of the matrix as a table for screen readers, because they cannot read a canvas. */
export const VisibleTable = memo(({ rows, columns, range, onOpen }: VisibleTableProps) => {
  const { t } = useTranslation();
  const shown = columns.slice(...range.columns);
  return (
    <table className="sr">
      <thead>
        <tr>
          <th scope="col">{t('host.host')}</th>
          {shown.map((column) => (
            <th key={column.steps[0]?.positions[0]} scope="col">
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(...range.rows).map((row, offset) => {
          if (row.kind === 'more') return null;
          const host = row.kind === 'host' ? row.host.host : groupName(t, row.group);
          const cells = shownCells(row.group.shown, columns).slice(...range.columns);
          return (
            <tr key={`${row.kind} ${host}`}>
              <th scope="row">{host}</th>
              {cells.map(({ letter }, at) => {
                const column = shown[at];
                const label = t('host.cell', { host, step: column?.label ?? '', result: letterText(t, letter) });
                return (
                  <td key={column?.steps[0]?.positions[0]}>
                    {letter === '.' || letter === ' ' || letter === 'a' ? (
                      letterText(t, letter)
                    ) : (
                      <button
                        type="button"
                        tabIndex={-1}
                        aria-label={label}
                        onClick={() => onOpen(range.rows[0] + offset, range.columns[0] + at)}
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
});
