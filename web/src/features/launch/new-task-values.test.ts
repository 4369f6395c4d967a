import { describe, expect, it } from 'vitest';
import { sampleTask, sampleTemplate, sampleVariable } from '../../testing/sample.ts';
import {
  answerProblems,
  argumentsProblem,
  newTaskBody,
  newTaskProblems,
  serverFields,
  startValues,
  storedBody,
} from './new-task-values.ts';
import { filledValues } from './saved/saved-values.ts';

const number = sampleVariable({ type: 'int', required: true });
const note = sampleVariable({ name: 'note', title: '' });
const asking = sampleTemplate({ survey_vars: [number, note] });
const deploy = sampleTemplate({ type: 'deploy', build_template_id: 2 });

describe('the initial values of the new task form', () => {
  it('are empty for a new task', () => {
    expect(startValues(asking, undefined)).toMatchObject({
      message: '',
      build: '',
      answers: { hosts: '', note: '' },
      verbosity: 0,
      arguments: '',
    });
  });

  it('are those of an earlier task, for the inputs that still exist', () => {
    const earlier = sampleTask({
      message: 'again',
      build_task_id: 7,
      diff: true,
      arguments: '["-v"]',
      environment: '{"hosts":8,"gone":"x","note":"hello"}',
    });
    expect(startValues(asking, earlier)).toMatchObject({
      message: 'again',
      build: '7',
      diff: true,
      arguments: '["-v"]',
      answers: { hosts: '8', note: 'hello' },
    });
    expect(startValues(asking, earlier).answers).not.toHaveProperty('gone');
  });

  it.each(['not json', '[]', 'null', '5'])('passes over answers that are none: %s', (environment) => {
    expect(startValues(asking, sampleTask({ environment })).answers).toEqual({ hosts: '', note: '' });
  });
});

describe('the check of survey answers', () => {
  it.each([
    ['', 'answer.required'],
    ['  ', 'answer.required'],
    ['eight', 'answer.integer'],
    ['1.5', 'answer.integer'],
    [' 8 ', undefined],
  ])('%j', (hosts, code) => {
    const values = { ...startValues(asking, undefined), answers: { hosts, note: '' } };
    expect(answerProblems(asking, values).map(([field, problem]) => [field, problem.code])).toEqual(
      code === undefined ? [] : [['answers.hosts', code]],
    );
  });
});

describe('the check of arguments', () => {
  it.each([
    ['', true],
    ['[]', true],
    ['["--tags", "web"]', true],
    ['--tags web', false],
    ['{"a": 1}', false],
    ['[1]', false],
    ['["a"', false],
  ])('%j', (json, fine) => {
    expect(argumentsProblem(json) === undefined).toBe(fine);
  });
});

describe('the values of the new task form', () => {
  it('limit the task to the requested hosts, or else to those of the earlier task', () => {
    const earlier = sampleTask({ limit: 'web' });
    expect(startValues(asking, earlier).limit).toBe('web');
    expect(startValues(asking, earlier, 'web-2').limit).toBe('web-2');
    expect(startValues(asking, undefined, 'web-2').limit).toBe('web-2');
  });

  it('are checked, and every field with an error is named', () => {
    expect(newTaskProblems(deploy, startValues(deploy, undefined))).toEqual({
      build: { key: 'newTask.buildRequired' },
    });
  });

  it('contain arguments that are checked only if they are allowed', () => {
    const values = { ...startValues(asking, undefined), answers: { hosts: '1' }, arguments: 'nonsense' };
    expect(newTaskProblems(asking, values)).toEqual({});
    const free = sampleTemplate({ ...asking, allow_override_args_in_task: true });
    expect(Object.keys(newTaskProblems(free, values))).toEqual(['arguments']);
    const listed = sampleTemplate({ prompts: { ...asking.prompts, runner_tags: ['dmz'] } });
    const untagged = startValues(listed, undefined);
    expect(newTaskProblems(listed, untagged)).toEqual({ runner_tags: { key: 'launch.runnerTagsRequired' } });
    expect(newTaskProblems(listed, { ...untagged, runner_tags: ['dmz'] })).toEqual({});
  });

  it('are sent as typed, without empty answers', () => {
    const values = {
      ...startValues(asking, undefined),
      message: ' hi ',
      answers: { hosts: ' 8 ', note: ' ' },
      dry_run: true,
    };
    expect(newTaskBody(asking, values)).toEqual({
      template_id: 1,
      build_task_id: null,
      message: 'hi',
      environment: '{"hosts":"8"}',
      arguments: '[]',
      limit: '',
      dry_run: true,
    });
  });

  it('contain the build for a deploy, and arguments if they are allowed', () => {
    const free = sampleTemplate({ ...deploy, allow_override_args_in_task: true });
    const values = { ...startValues(free, undefined), build: '42', arguments: '["-v"]' };
    expect(newTaskBody(free, values)).toMatchObject({ build_task_id: 42, arguments: '["-v"]' });
    expect(newTaskBody(deploy, values)).toMatchObject({ arguments: '[]' });
  });

  it('have names that differ from those of the server, whose errors are mapped to them', () => {
    expect(serverFields({ build_task_id: 'a', 'environment.hosts': 'b', message: 'c' })).toEqual({
      build: 'a',
      'answers.hosts': 'b',
      message: 'c',
    });
  });
});

it('stored values leave out answers that are still the defaults, and show the defaults of today', () => {
  const survey_vars = [
    sampleVariable({ name: 'size', type: 'int', default_value: '2' }),
    sampleVariable({ name: 'note' }),
    sampleVariable({ name: 'count', type: 'int', default_value: '7' }),
  ];
  const template = sampleTemplate({ survey_vars });
  const values = startValues(template, undefined);
  const stored = storedBody(template, { ...values, answers: { ...values.answers, note: 'x', count: '' } });
  expect(stored.environment).toBe('{"note":"x","count":null}');
  const changed = { ...template, survey_vars: survey_vars.map((one) => ({ ...one, default_value: '9' })) };
  expect(filledValues(changed, { launch_values: stored }, '').answers).toEqual({ size: '9', note: 'x', count: '' });
});
