import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import { LineHeights } from './line-heights.ts';
import { LINE_HEIGHT } from './log-layout.ts';

/**
 * Measures the heights of wrapped lines when they are drawn. Line breaks depend on the width and on the columns before
 * the text: when `space` changes, all lines are measured again.
 */
export const useLineHeights = (rows: RefObject<HTMLElement | null>, isWrapped: boolean, space: string) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights depend on the space
  const heights = useMemo(() => (isWrapped ? new LineHeights() : undefined), [isWrapped, space]);
  const [version, setVersion] = useState(0);
  // After every render: any of the lines may be new.
  useLayoutEffect(() => {
    if (!heights || !rows.current) return;
    let isNew = false;
    for (const row of rows.current.children) {
      const text = row.querySelector<HTMLElement>('[data-text="true"]');
      if (!(row instanceof HTMLElement) || text === null) continue;
      isNew = heights.set(Number(row.dataset.line), row.offsetHeight - LINE_HEIGHT) || isNew;
    }
    if (isNew) setVersion((now) => now + 1);
  });
  return { heights, version };
};
