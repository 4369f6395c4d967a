import { useViewportSize } from '@mantine/hooks';
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';

const BLOCK_ROWS = 10;
/** Blocks that are drawn before their position is known: about a screen. */
const FIRST_BLOCKS = 2;
/** How far from the visible part a block is drawn, so that users who scroll see no empty block. */
const MARGIN = '100% 0px';

/** A height in pixels, which holds as long as the window has this width. */
interface Height {
  readonly width: number;
  readonly height: number;
}

const heightAt = (width: number, known: Height | undefined): number | undefined =>
  known?.width === width ? known.height : undefined;

interface BlockProps {
  /** Width of the window in pixels. */
  width: number;
  /** Height of a row in pixels; undefined while it is unknown. */
  rowHeight: number | undefined;
  onRowHeight: (height: Height) => void;
  rows: number;
  columns: number;
  isFirst: boolean;
  draw: () => ReactNode;
}

/** Rows that are drawn while they are near the visible part, and otherwise have empty space of their height. */
const RowBlock = ({ width, rowHeight, onRowHeight, rows, columns, isFirst, draw }: BlockProps) => {
  const body = useRef<HTMLTableSectionElement>(null);
  const [isNear, setNear] = useState(isFirst || !('IntersectionObserver' in window));
  /** The height when the block was last drawn. */
  const [known, setKnown] = useState<Height>();
  const isMeasured = rowHeight !== undefined;
  // Before the first frame, so that the list does not become longer while the user scrolls to its end.
  useLayoutEffect(() => {
    const element = body.current;
    if (isMeasured || !isFirst || !element || width === 0) return;
    const { height } = element.getBoundingClientRect();
    if (height > 0) onRowHeight({ width, height: height / element.rows.length });
  }, [isMeasured, isFirst, onRowHeight, width]);
  useLayoutEffect(() => {
    const element = body.current;
    if (!element || !('IntersectionObserver' in window)) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        // The focus would be lost with its row.
        if (!entry || (!entry.isIntersecting && element.contains(document.activeElement))) return;
        const { height } = entry.boundingClientRect;
        if (element.dataset.drawn !== undefined && height > 0) {
          setKnown({ width, height });
          onRowHeight({ width, height: height / element.rows.length });
        }
        setNear(entry.isIntersecting);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [onRowHeight, width]);
  if (isNear)
    return (
      <tbody ref={body} data-drawn>
        {draw()}
      </tbody>
    );
  const space = heightAt(width, known) ?? (rowHeight === undefined ? undefined : rowHeight * rows);
  return (
    <tbody ref={body} aria-hidden>
      <tr>
        <td colSpan={columns} style={{ height: space ?? `calc(${rows} * (var(--row) + 1px))`, padding: 0 }} />
      </tr>
    </tbody>
  );
};

interface RowBlocksProps<Row> {
  rows: readonly Row[];
  /** Number of columns of the table. */
  columns: number;
  children: (row: Row) => ReactNode;
}

/** The bodies of a table of many rows, of which only those near the visible part are drawn. */
export const RowBlocks = <Row,>({ rows, columns, children }: RowBlocksProps<Row>) => {
  const { width } = useViewportSize();
  const [rowHeight, setRowHeight] = useState<Height>();
  const onRowHeight = useCallback(
    (measured: Height) => setRowHeight((before) => (before?.width === measured.width ? before : measured)),
    [],
  );
  const count = Math.ceil(rows.length / BLOCK_ROWS);
  return Array.from({ length: count }, (_, at) => {
    const block = rows.slice(at * BLOCK_ROWS, (at + 1) * BLOCK_ROWS);
    return (
      <RowBlock
        // biome-ignore lint/suspicious/noArrayIndexKey: a block has no other identity than its position
        key={at}
        width={width}
        rowHeight={heightAt(width, rowHeight)}
        onRowHeight={onRowHeight}
        rows={block.length}
        columns={columns}
        isFirst={at < FIRST_BLOCKS}
        draw={() => block.map(children)}
      />
    );
  });
};
