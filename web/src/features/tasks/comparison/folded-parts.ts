import type { LogPart } from '@signalbox/contract';

/** The lines of a part, or parts in a row that one of two logs does not have. */
export type PartRow =
  | { readonly part: LogPart }
  | { readonly missingIn: 'earlier' | 'later'; readonly parts: readonly LogPart[] };

/** What is before and after the steps is never folded: there an error of the playbook is printed. */
const missingIn = ({ part, earlier_line, later_line }: LogPart): 'earlier' | 'later' | undefined => {
  if (part !== 'step') return undefined;
  return earlier_line === null ? 'earlier' : later_line === null ? 'later' : undefined;
};

/** Folds the steps in a row that the same log does not have: after a step with another name they would be all lines. */
export const foldParts = (parts: readonly LogPart[]): PartRow[] => {
  const rows: PartRow[] = [];
  for (let at = 0; at < parts.length; ) {
    const first = parts[at] as LogPart;
    const missing = missingIn(first);
    let end = at + 1;
    while (missing !== undefined && end < parts.length && missingIn(parts[end] as LogPart) === missing) end += 1;
    rows.push(missing === undefined ? { part: first } : { missingIn: missing, parts: parts.slice(at, end) });
    at = end;
  }
  return rows;
};
