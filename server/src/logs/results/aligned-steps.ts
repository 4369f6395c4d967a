import type { ComparedStep, StepPair, StepSummary } from '@signalbox/contract';

/** A step with the name of its play. */
export interface NamedStep extends StepSummary {
  readonly playName: string;
}

/** Texts that are equal for the same step of two runs. The second occurrence of a step has a text of its own. */
const keysOf = (steps: readonly NamedStep[]): string[] => {
  const seen = new Map<string, number>();
  return steps.map(({ playName, name, action }) => {
    const key = JSON.stringify([playName, name, action]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return `${key}${count}`;
  });
};

/** Indexes of a longest sequence of increasing numbers. */
const longestIncreasing = (numbers: readonly number[]): number[] => {
  const previous: number[] = [];
  // The index of the smallest last number of a sequence of each length.
  const lasts: number[] = [];
  for (const [index, number] of numbers.entries()) {
    let low = 0;
    let high = lasts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[lasts[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : (lasts[low - 1] as number));
    lasts[low] = index;
  }
  const found: number[] = [];
  for (let index = lasts.at(-1) ?? -1; index >= 0; index = previous[index] as number) found.push(index);
  return found.reverse();
};

const seconds = ({ at, end }: StepSummary): number | null => (end === null ? null : Math.max(0, end - at) / 1000);

const compared = (step: NamedStep): ComparedStep => ({
  step: step.step,
  line: step.line,
  seconds: seconds(step),
  counts: step.counts,
});

/** Whether the results of a step are of the same kinds in both runs. A run on more hosts does not differ because of that. */
const haveSameResults = ({ counts: a }: NamedStep, { counts: b }: NamedStep): boolean =>
  (Object.keys(a) as (keyof typeof a)[]).every((kind) => a[kind] > 0 === b[kind] > 0);

/** A step is slower from this factor and so many seconds on. */
const SLOWER = 1.5;
const SLOWER_SECONDS = 2;

const isSlower = (earlier: NamedStep, later: NamedStep): boolean => {
  const [before, after] = [seconds(earlier), seconds(later)];
  return before !== null && after !== null && after >= before * SLOWER && after - before >= SLOWER_SECONDS;
};

const pair = (earlier: NamedStep | undefined, later: NamedStep | undefined): StepPair => {
  const { playName, name, action, path = '' } = (later ?? earlier) as NamedStep;
  return {
    play: playName,
    name,
    action,
    path,
    earlier: earlier ? compared(earlier) : null,
    later: later ? compared(later) : null,
    differs: !earlier || !later || !haveSameResults(earlier, later),
    slower: earlier !== undefined && later !== undefined && isSlower(earlier, later),
  };
};

/** The steps of two runs in order, with the same ones side by side. */
export const alignSteps = (earlier: readonly NamedStep[], later: readonly NamedStep[]): StepPair[] => {
  const positions = new Map(keysOf(earlier).map((key, position) => [key, position]));
  const common = keysOf(later).flatMap((key, position) => {
    const other = positions.get(key);
    return other === undefined ? [] : [{ position, other }];
  });
  const pairs: StepPair[] = [];
  let [next, nextOther] = [0, 0];
  const upTo = (position: number, other: number): void => {
    while (nextOther < other) pairs.push(pair(earlier[nextOther++], undefined));
    while (next < position) pairs.push(pair(undefined, later[next++]));
  };
  for (const index of longestIncreasing(common.map(({ other }) => other))) {
    const { position, other } = common[index] as (typeof common)[number];
    upTo(position, other);
    pairs.push(pair(earlier[nextOther++], later[next++]));
  }
  upTo(later.length, earlier.length);
  return pairs;
};
