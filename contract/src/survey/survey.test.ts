import { describe, expect, it } from 'vitest';
import { readSurvey } from './answers.ts';
import { surveyProblems } from './survey-rules.ts';
import { NewSurveyVariable, type SurveyVariable, withFieldsOfType } from './survey-variable.ts';

const variable = (input: object): SurveyVariable =>
  NewSurveyVariable.parse({ name: 'it', title: 'It', ...input }) as SurveyVariable;

const CHOICES = { values: [{ value: 'eu' }, { value: 'us', name: 'America' }] };

const read = (input: object, answer: unknown, matches = () => true) => {
  const { answers, problems } = readSurvey([variable(input)], { it: answer }, matches);
  return answers.get('it') ?? problems.get('it')?.code;
};

describe('the answer to a variable', () => {
  it.each([
    [{ type: '' }, 'web', 'web'],
    [{ type: 'multiline' }, 'a\nb', 'a\nb'],
    [{ type: 'int' }, ' 7 ', 7],
    [{ type: 'int' }, 7.5, 'answer.integer'],
    [{ type: 'decimal' }, '-1.25', -1.25],
    [{ type: 'decimal' }, '.5', 0.5],
    [{ type: 'decimal' }, '1e999', 'answer.decimal'],
    [{ type: 'decimal' }, true, 'answer.decimal'],
    [{ type: 'bool' }, true, true],
    [{ type: 'bool' }, 'No', false],
    [{ type: 'bool' }, 'constructor', 'answer.boolean'],
    [{ type: 'enum', ...CHOICES }, 'us', 'us'],
    [{ type: 'enum', ...CHOICES }, 'America', 'answer.choice'],
    [{ type: 'multiple', ...CHOICES }, ['us', 'eu'], ['eu', 'us']],
    [{ type: 'multiple', ...CHOICES }, 'us, eu', ['eu', 'us']],
    [{ type: 'multiple', ...CHOICES }, ['us', 'cn'], 'answer.choices'],
    [{ type: 'secret' }, 12345, '12345'],
    [{ type: 'secret' }, ['a'], 'answer.text'],
    [{ type: 'date' }, '2028-02-29', '2028-02-29'],
    [{ type: 'date' }, '2027-02-29', 'answer.date'],
    [{ type: 'date' }, '29.02.2028', 'answer.date'],
    [{ type: 'datetime' }, '2026-11-24T07:30', '2026-11-24T07:30'],
    [{ type: 'datetime' }, '2026-11-24T07:30:00+02:00', '2026-11-24T07:30:00+02:00'],
    [{ type: 'datetime' }, '2026-11-24T25:30', 'answer.moment'],
    [{ type: '', min: 2 }, 'a', 'answer.too_short'],
    [{ type: '', max: 2 }, 'ab😀', 'answer.too_long'],
    [{ type: '', max: 3 }, 'ab😀', 'ab😀'],
    [{ type: 'int', min: 1 }, 0, 'answer.too_small'],
    [{ type: 'decimal', max: 0.5 }, 0.6, 'answer.too_big'],
    [{ type: 'multiple', ...CHOICES, min: 2 }, ['eu'], 'answer.min_choices'],
    [{ type: 'multiple', ...CHOICES, max: 1 }, ['eu', 'us'], 'answer.max_choices'],
    [{ type: 'multiple', ...CHOICES, required: true }, [], 'answer.required'],
  ])('%j reads %j as %j', (input, answer, expected) => {
    expect(read(input, answer)).toEqual(expected);
  });

  it('must match the pattern of the variable', () => {
    const short = (_: SurveyVariable, text: string) => text.length < 3;
    expect(read({ pattern: '..' }, 'ab', short as never)).toBe('ab');
    expect(read({ pattern: '..' }, 'abc', short as never)).toBe('answer.pattern');
  });
});

describe('a variable that depends on another answer', () => {
  const survey = [
    variable({ name: 'strategy', type: 'enum', values: [{ value: 'canary' }, { value: 'rolling' }] }),
    variable({ name: 'hosts', type: 'int', required: true, show_when: { variable: 'strategy', values: ['canary'] } }),
    variable({ name: 'wait', default_value: '5', show_when: { variable: 'hosts', values: ['2'] } }),
  ];
  const asked = (given: object) => {
    const { asked: variables, problems, answers } = readSurvey(survey, { ...given }, () => true);
    return [variables.map(({ name }) => name), Object.fromEntries(problems), Object.fromEntries(answers)];
  };

  it('is asked for with one of the answers of its condition only', () => {
    expect(asked({ strategy: 'rolling' })).toEqual([['strategy'], {}, { strategy: 'rolling' }]);
    expect(asked({})).toEqual([['strategy'], {}, {}]);
    expect(asked({ strategy: 'canary', hosts: '2' })).toEqual([
      ['strategy', 'hosts', 'wait'],
      {},
      { strategy: 'canary', hosts: 2, wait: '5' },
    ]);
  });

  it('is required only if it is asked for, and refused if it is not', () => {
    expect(asked({ strategy: 'canary' })[1]).toMatchObject({ hosts: { code: 'answer.required' } });
    expect(asked({ strategy: 'rolling', hosts: 2 })[1]).toMatchObject({ hosts: { code: 'answer.not_asked' } });
    expect(asked({ strategy: 'rolling', hosts: '' })[1]).toEqual({});
  });
});

describe('the rules of a survey', () => {
  it.each([
    [{ type: 'enum' }, '0.values', 'field.required'],
    [{ type: 'enum', values: [{ value: 'a' }, { value: 'a' }] }, '0.values.1.value', 'field.choice_twice'],
    [{ type: 'multiple', values: [{ value: 'a,b' }] }, '0.values.0.value', 'field.choice_comma'],
    [{ type: 'int', min: 3, max: 2 }, '0.max', 'field.max_below_min'],
    [{ type: 'int', default_value: 'many' }, '0.default_value', 'field.default'],
    [{ type: 'int', max: 5, default_value: '6' }, '0.default_value', 'field.default'],
    [{ type: 'secret', default_value: 'x' }, '0.default_value', 'field.secret_default'],
    [{ show_when: { variable: 'it', values: ['a'] } }, '0.show_when.variable', 'field.earlier_variable'],
    [{ show_when: { variable: 'later', values: ['a'] } }, '0.show_when.variable', 'field.earlier_variable'],
  ])('refuse %j', (input, field, code) => {
    const found = surveyProblems([variable(input), variable({ name: 'later' })]);
    expect(found.map(([name, problem]) => [name, problem.code])).toEqual([[field, code]]);
  });

  it('accept a condition on an earlier variable that is no secret', () => {
    const after = (type: string) =>
      surveyProblems([
        variable({ name: 'first', type }),
        variable({ show_when: { variable: 'first', values: ['a'] } }),
      ]);
    expect(after('')).toEqual([]);
    expect(after('secret')).toHaveLength(1);
  });

  it('clear what variables of a type do not have', () => {
    const all = { ...CHOICES, min: 1, max: 2, pattern: 'x', pattern_message: 'y' };
    expect(withFieldsOfType(variable({ type: 'enum', ...all }))).toMatchObject({ min: null, pattern: '' });
    expect(withFieldsOfType(variable({ type: 'int', ...all }))).toMatchObject({ values: [], min: 1, pattern: '' });
    expect(withFieldsOfType(variable({ ...all }))).toMatchObject({ values: [], max: 2, pattern: 'x' });
  });
});
