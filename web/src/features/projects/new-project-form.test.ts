import { describe, expect, it } from 'vitest';
import { limitProblem, nameProblem, newProjectBody } from './new-project-form.ts';

describe('the form of a new project', () => {
  it.each([
    ['', 'project.nameRequired'],
    ['  ', 'project.nameRequired'],
    ['Lab', undefined],
  ])('checks the name %j', (name, problem) => {
    expect(nameProblem(name)).toBe(problem);
  });

  it.each([
    ['', undefined],
    ['0', undefined],
    ['12', undefined],
    ['-1', 'project.notNegative'],
    ['1.5', 'project.integer'],
    ['many', 'project.integer'],
  ])('checks the limit %j', (limit, problem) => {
    expect(limitProblem(limit)).toBe(problem);
  });

  it('sends trimmed values, and 0 for an empty limit', () => {
    expect(newProjectBody({ name: ' Lab ', max_parallel_tasks: '' }, false)).toEqual({
      name: 'Lab',
      max_parallel_tasks: 0,
      demo: false,
    });
    expect(newProjectBody({ name: 'Lab', max_parallel_tasks: ' 3 ' }, true).max_parallel_tasks).toBe(3);
  });
});
