import { describe, expect, it } from 'vitest';
import { lockProblem, locksOf } from './lock.ts';

const SURVEY = [
  { name: 'env', type: 'enum' },
  { name: 'password', type: 'secret' },
] as const;

describe('the locks of a task', () => {
  it('contain the answers that their names refer to, each lock once', () => {
    const names = ['db-{{ env }}', 'db-{{env}}', 'all {{ hosts }} of {{ count }}', 'plain {not}'];
    expect(locksOf(names, { env: 'prod', hosts: ['a', 'b'], count: 3 })).toEqual([
      'all a,b of 3',
      'db-prod',
      'plain {not}',
    ]);
  });

  it('have an empty text for an answer that is missing, and none of the object itself', () => {
    expect(locksOf(['db-{{ env }}', 'x{{ toString }}'], { env: null })).toEqual(['db-', 'x']);
  });

  it('are refused if their variable has secret answers or is not in the survey', () => {
    expect(lockProblem(['db', 'db-{{ env }}'], SURVEY)).toBeUndefined();
    for (const variable of ['password', 'other'])
      expect(lockProblem(['db', `db-{{ ${variable} }}`], SURVEY)).toEqual([
        1,
        { code: 'lock.variable', params: { lock: `db-{{ ${variable} }}`, variable } },
      ]);
  });
});
