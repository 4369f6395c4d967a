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

/** The room of rows that are still to be drawn: the page is as long as it will be, and can be scrolled there already. */
export const RoomFor = ({ columns, rows }: { columns: number; rows: number }) => (
  <tr>
    <td colSpan={columns} style={{ height: `calc(${rows} * (var(--row) + 1px))` }} />
  </tr>
);
