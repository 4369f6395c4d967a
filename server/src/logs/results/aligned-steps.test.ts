import type { StepPair } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { alignSteps, type NamedStep } from './aligned-steps.ts';

const NONE = { ok: 0, changed: 0, failed: 0, ignored: 0, skipped: 0, unreachable: 0, rescued: 0 };

/** Steps with these names; a name that ends with ! failed. */
const steps = (...names: string[]): NamedStep[] =>
  names.map((given, position) => ({
    step: position + 1,
    play: 1,
    playName: 'Play',
    name: given.replace('!', ''),
    action: 'command',
    handler: false,
    line: position * 10,
    at: position * 1000,
    end: (position + 1) * 1000,
    counts: given.endsWith('!') ? { ...NONE, failed: 1 } : { ...NONE, ok: 2 },
  }));

const shown = ({ name, earlier, later, differs }: StepPair): string =>
  `${earlier?.step ?? '-'} ${name} ${later?.step ?? '-'}${differs ? ' *' : ''}`;

describe('aligning the steps of two runs', () => {
  it('shows the same steps side by side, and steps of one run in their order', () => {
    const pairs = alignSteps(steps('a', 'b', 'c', 'e'), steps('a', 'c', 'd', 'e'));
    expect(pairs.map(shown)).toEqual(['1 a 1', '2 b - *', '3 c 2', '- d 3 *', '4 e 4']);
  });

  it('keeps the order if a step was moved', () => {
    expect(alignSteps(steps('a', 'b', 'c'), steps('b', 'c', 'a')).map(shown)).toEqual([
      '1 a - *',
      '2 b 1',
      '3 c 2',
      '- a 3 *',
    ]);
  });

  it('pairs steps of the same name in their order', () => {
    expect(alignSteps(steps('a', 'a'), steps('a', 'a', 'a')).map(shown)).toEqual(['1 a 1', '2 a 2', '- a 3 *']);
  });

  it('differs where hosts had other kinds of results', () => {
    expect(alignSteps(steps('a', 'b'), steps('a', 'b!')).map(shown)).toEqual(['1 a 1', '2 b 2 *']);
  });

  it('calls a step slower that took half as long again and two seconds longer', () => {
    const timed = (...ends: (number | null)[]) =>
      steps(...ends.map((_, at) => `${at}`)).map((step, at) => ({ ...step, at: 0, end: ends[at] ?? null }));
    const pairs = alignSteps(timed(4_000, 100, 60_000, 4_000, 4_000), timed(6_000, 1_900, 70_000, 1_000, null));
    expect(pairs.map(({ slower }) => slower)).toEqual([true, false, false, false, false]);
  });

  it('aligns two long runs with steps in opposite order', () => {
    const names = Array.from({ length: 5000 }, (_, at) => `step ${at}`);
    const pairs = alignSteps(steps(...names), steps(...names.toReversed()));
    expect([pairs.length, pairs.filter(({ differs }) => !differs).length]).toEqual([9999, 1]);
  });
});
