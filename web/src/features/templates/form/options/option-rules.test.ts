import { describe, expect, it } from 'vitest';
import { sampleTemplate } from '../../../../testing/sample.ts';
import { optionProblems, optionsBody, rulesBody, startOptionFields, startRules } from './option-rules.ts';

const TEMPLATE = sampleTemplate({
  options: {
    limit: 'web',
    tags: ['a'],
    skip_tags: [],
    verbosity: 2,
    forks: 8,
    dry_run: true,
    diff: false,
    runner_tags: ['dmz'],
    priority: -5,
  },
  prompts: {
    ...sampleTemplate().prompts,
    limit: ['web', 'db'],
    inventory_id: [3, 5],
    forks: [5, 10],
    tags: null,
    diff: 'fixed',
    runner_tags: ['dmz', 'gpu'],
    priority: [-5, 10],
  },
});

describe('the options of a template in its form', () => {
  it('are sent unchanged if they were not edited', () => {
    expect(rulesBody(startRules(TEMPLATE))).toEqual(TEMPLATE.prompts);
    expect(optionsBody(startOptionFields(TEMPLATE))).toEqual(TEMPLATE.options);
  });

  it('are those of a new template without one', () => {
    expect(rulesBody(startRules(undefined))).toEqual(sampleTemplate().prompts);
    expect(optionsBody(startOptionFields(undefined))).toEqual(sampleTemplate().options);
  });

  it('need values for a list, and a number of hosts', () => {
    const rules = { ...startRules(undefined), limit: { mode: 'list' as const, values: [] } };
    expect(optionProblems({ ...startOptionFields(undefined), forks: '0' }, rules)).toEqual({
      'options.forks': 'launch.forksInvalid',
      'prompts.limit': 'optionRules.listRequired',
    });
  });
});
