import type { StepPair } from '@signalbox/contract';

/** Fewer steps in a row are not folded. */
const MIN_FOLDED = 3;

/** One step, or steps in a row that one of two runs does not have. */
export type StepRow =
  | { readonly pair: StepPair }
  | { readonly missingIn: 'earlier' | 'later'; readonly pairs: readonly StepPair[] };

const missingIn = ({ earlier, later }: StepPair): 'earlier' | 'later' | undefined =>
  earlier === null ? 'earlier' : later === null ? 'later' : undefined;

/** Folds steps in a row that the same run does not have. */
export const foldSteps = (steps: readonly StepPair[]): StepRow[] => {
  const rows: StepRow[] = [];
  for (let at = 0; at < steps.length; ) {
    const run = missingIn(steps[at] as StepPair);
    let end = at + 1;
    while (run !== undefined && end < steps.length && missingIn(steps[end] as StepPair) === run) end += 1;
    const pairs = steps.slice(at, end);
    if (run !== undefined && pairs.length >= MIN_FOLDED) rows.push({ missingIn: run, pairs });
    else rows.push(...pairs.map((pair) => ({ pair })));
    at = end;
  }
  return rows;
};
