import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import { LineHeights } from './line-heights.ts';
import { LINE_HEIGHT } from './log-layout.ts';

/**
 * Heights of lines that are wrapped, measured as they are drawn. What stands beside the text, and how wide all of it
 * is, decides where lines break: with another `space` all is measured anew.
 */
export const useLineHeights = (rows: RefObject<HTMLElement | null>, isWrapped: boolean, space: string) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another space makes other heights
  const heights = useMemo(() => (isWrapped ? new LineHeights() : undefined), [isWrapped, space]);
  const [version, setVersion] = useState(0);
  // After every drawing: any of the lines may be a new one.
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
