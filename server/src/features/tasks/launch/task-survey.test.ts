import { NewSurveyVariable, type SurveyVariable } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { checkAnswers } from './task-survey.ts';

const variable = (input: object) =>
  NewSurveyVariable.parse({ name: 'port', title: 'Port', ...input }) as SurveyVariable;

const stored = async (survey: readonly SurveyVariable[], answers: object, mayAddKeys = false): Promise<unknown> =>
  JSON.parse((await checkAnswers(survey, JSON.stringify(answers), mayAddKeys)).json);

describe('survey answers', () => {
  it.each([
    [{ required: true }, '{}', 'Port is required'],
    [{ required: true }, '{"port":""}', 'Port is required'],
    [{ required: true }, '{"port":null}', 'Port is required'],
    [{ type: 'int' }, '{"port":"8o"}', 'Port must be integer'],
    [{ type: 'int' }, '{"port":1.5}', 'Port must be integer'],
    [{ type: 'int' }, '{"port":[1]}', 'Port must be integer'],
    [{ type: 'int' }, '{"port":"9007199254740993"}', 'Port must be integer'],
    [{ type: 'int' }, '{"port":true}', 'Port must be integer'],
    [{}, '{"port":["a"]}', 'Port must be text'],
    [{}, '{"port":{"__ansible_unsafe":"a"}}', 'Port must be text'],
  ])('to %j refuse %s', async (input, answers, text) => {
    await expect(checkAnswers([variable(input)], answers, true)).rejects.toThrow(text);
  });

  it.each([
    [{ type: 'int', required: true }, '{"port":80}'],
    [{ type: 'int', required: true }, '{"port":"80"}'],
    [{ type: 'int' }, '{}'],
    [{}, '{"port":""}'],
    [{}, '{"port":80}'],
    [{}, '{"port":true}'],
  ])('to %j accept %s', async (input, answers) => {
    await expect(checkAnswers([variable(input)], answers, false)).resolves.toBeTruthy();
  });

  it.each([
    ['{"port":"80"}', '{"port":80}'],
    ['{"port":80}', '{"port":80}'],
    ['{"port":" 007 "}', '{"port":7}'],
    ['{"port":"-3"}', '{"port":-3}'],
    ['{"port":""}', '{"port":""}'],
    ['{"other":"80","port":"80"}', '{"other":"80","port":80}'],
  ])('to an integer variable are numbers: %s becomes %s', async (answers, json) => {
    expect((await checkAnswers([variable({ type: 'int' })], answers, true)).json).toBe(json);
  });

  it('contain only given answers, whatever the name of a variable', async () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      const answers = (input: object) => checkAnswers([variable({ name, ...input })], '{}', true);
      await expect(answers({ required: true })).rejects.toThrow('Port is required');
      expect((await answers({ type: 'int' })).json).toBe('{}');
    }
  });

  it('need a permission for variables that the survey does not ask for', async () => {
    const answers = { ansible_connection: 'local' };
    await expect(stored([variable({})], answers)).rejects.toThrow('ansible_connection');
    expect(await stored([variable({})], answers, true)).toEqual(answers);
  });

  it('have the default of the template, unless they are given, empty or null', async () => {
    const survey = [variable({ default_value: 'web' })];
    expect(await stored(survey, {})).toEqual({ port: 'web' });
    expect(await stored(survey, { port: 'db' })).toEqual({ port: 'db' });
    expect(await stored(survey, { port: '' })).toEqual({ port: '' });
    expect(await stored(survey, { port: null })).toEqual({});
  });

  it('are refused with the name of the field if they do not match the whole pattern', async () => {
    const survey = [variable({ pattern: 'v\\d+', pattern_message: 'Such as v12' })];
    expect(await stored(survey, { port: 'v12' })).toEqual({ port: 'v12' });
    for (const port of ['v', 'xv12', 'v12 '])
      await expect(stored(survey, { port })).rejects.toMatchObject({
        fields: {
          'environment.port': { code: 'answer.own_message', params: { title: 'Port', message: 'Such as v12' } },
        },
      });
  });

  it('are kept apart if they are secret', async () => {
    const survey = [variable({ type: 'secret', name: 'token' }), variable({})];
    const { json, secrets } = await checkAnswers(survey, '{"token":"hunter2","port":"80"}', false);
    expect([json, [...secrets]]).toEqual(['{"port":"80"}', [['token', 'hunter2']]]);
    expect((await checkAnswers(survey, '{"token":""}', false)).secrets.size).toBe(0);
  });
});
