import { SurveyVariable } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { checkAnswers } from './task-survey.ts';

const variable = (input: object) =>
  SurveyVariable.parse({ name: 'port', title: 'Port', description: '', type: '', required: false, ...input });

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
  ])('to %j refuse %s', (input, answers, text) => {
    expect(() => checkAnswers([variable(input)], answers, true)).toThrow(text);
  });

  it.each([
    [{ type: 'int', required: true }, '{"port":80}'],
    [{ type: 'int', required: true }, '{"port":"80"}'],
    [{ type: 'int' }, '{}'],
    [{}, '{"port":""}'],
    [{}, '{"port":80}'],
    [{}, '{"port":true}'],
  ])('to %j accept %s', (input, answers) => {
    expect(() => checkAnswers([variable(input)], answers, false)).not.toThrow();
  });

  it.each([
    ['{"port":"80"}', '{"port":80}'],
    ['{"port":80}', '{"port":80}'],
    ['{"port":" 007 "}', '{"port":7}'],
    ['{"port":"-3"}', '{"port":-3}'],
    ['{"port":""}', '{"port":""}'],
    ['{"other":"80","port":"80"}', '{"other":"80","port":80}'],
  ])('to an integer variable are numbers: %s becomes %s', (answers, stored) => {
    expect(checkAnswers([variable({ type: 'int' })], answers, true)).toBe(stored);
  });

  it('contain only given answers, whatever the name of a variable', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(() => checkAnswers([variable({ name, required: true })], '{}', true)).toThrow('Port is required');
      expect(() => checkAnswers([variable({ name, type: 'int' })], '{}', true)).not.toThrow();
    }
  });

  it('need a permission for variables that the survey does not ask for', () => {
    expect(() => checkAnswers([variable({})], '{"ansible_connection":"local"}', false)).toThrow('ansible_connection');
    expect(() => checkAnswers([variable({})], '{"ansible_connection":"local"}', true)).not.toThrow();
  });
});
