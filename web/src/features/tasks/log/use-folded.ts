import { useCallback, useState } from 'react';
import type { Section } from './log-layout.ts';

/** The ids of the play and the step to which a line belongs. */
export const sectionsOf = (sections: readonly Section[], line: number): string[] => {
  const before = sections.filter((section) => section.line <= line);
  const play = before.findLast(({ kind }) => kind === 'play');
  const step = before.at(-1);
  return [play, step].filter((section) => section !== undefined).map(({ id }) => id);
};

/** State of the folded plays and steps of a log, by their ids. */
export const useFolded = (sections: readonly Section[]) => {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (id: string) =>
      setFolded((before) => {
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      }),
    [],
  );
  const steps = sections.filter(({ kind }) => kind === 'step');
  const toggleAll = () => setFolded((before) => (before.size > 0 ? new Set() : new Set(steps.map(({ id }) => id))));
  /** Unfolds the play and the step that hide a line. */
  const reveal = (line: number): void => {
    const above = sectionsOf(sections, line);
    setFolded((before) => (above.some((id) => before.has(id)) ? before.difference(new Set(above)) : before));
  };
  return { folded, toggle, toggleAll, reveal, canFold: steps.length > 0 };
};
