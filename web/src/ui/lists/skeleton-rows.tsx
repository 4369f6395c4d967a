import css from './table.module.css';

/** Placeholder rows of the final height while a list loads, so that the layout does not shift. */
export const SkeletonRows = ({ columns, rows = 8 }: { columns: number; rows?: number }) =>
  Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows have no other identity than their position
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <td key={column}>
          <span className={css.skeleton} style={{ width: `${35 + ((row * 17 + column * 29) % 45)}%` }} />
        </td>
      ))}
    </tr>
  ));
