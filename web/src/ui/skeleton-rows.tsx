import css from './table.module.css';

/** Rows of the right height while a list comes, so that nothing jumps when it is there. */
export const SkeletonRows = ({ columns, rows = 8 }: { columns: number; rows?: number }) =>
  Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: such rows have nothing but their place
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <td key={column}>
          <span className={css.skeleton} style={{ width: `${35 + ((row * 17 + column * 29) % 45)}%` }} />
        </td>
      ))}
    </tr>
  ));
