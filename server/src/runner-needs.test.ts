import { describe, expect, it } from 'vitest';
import { abilitiesOf, kindOf, needsOf, tagsOf } from './runner-needs.ts';

describe('what a task needs of a runner', () => {
  it('is only its tags with the programs of the runner, as in earlier versions', () => {
    const needs = needsOf(['gpu'], { kind: 'system' });
    expect(needs).toEqual(['gpu']);
    expect(kindOf(JSON.stringify(needs))).toBe('system');
  });

  it('contains the kind of its execution environment, which no tag of a user can be', () => {
    const needs = needsOf(['gpu'], { kind: 'virtual' });
    const json = JSON.stringify(needs);
    expect([tagsOf(json), kindOf(json)]).toEqual([['gpu'], 'virtual']);
    const isMet = (abilities: readonly string[]) => needs.every((need) => abilities.includes(need));
    expect(isMet(abilitiesOf(['gpu', 'virtual'], [{ kind: 'system' }]))).toBe(false);
    expect(isMet(abilitiesOf(['gpu'], [{ kind: 'virtual' }]))).toBe(true);
  });
});
