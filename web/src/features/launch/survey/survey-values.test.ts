import { describe, expect, it } from 'vitest';
import { sampleVariable } from '../../../testing/sample.ts';
import { answersBody, readAnswers, startAnswers } from './survey-values.ts';

const region = sampleVariable({
  name: 'regions',
  type: 'multiple',
  values: [
    { name: '', value: 'fra' },
    { name: '', value: 'ams' },
  ],
  default_value: 'ams',
});
const token = sampleVariable({ name: 'token', type: 'secret' });
const canary = sampleVariable({ name: 'canary', type: 'bool', default_value: 'yes' });
const hosts = sampleVariable({ type: 'int', show_when: { variable: 'canary', values: ['true'] } });
const SURVEY = [region, token, canary, hosts];

describe('the first answers of a form', () => {
  it('are the defaults', () => {
    expect(startAnswers(SURVEY, undefined)).toEqual({ regions: ['ams'], token: '', canary: 'true', hosts: '' });
  });

  it('are those of an earlier task, without its secrets', () => {
    const earlier = { regions: ['fra', 'ams'], token: 'hunter2', canary: false };
    expect(startAnswers(SURVEY, earlier)).toEqual({ regions: ['fra', 'ams'], token: '', canary: 'false', hosts: '' });
    expect(startAnswers(SURVEY, {})).toEqual({ regions: [], token: '', canary: 'false', hosts: '' });
  });
});

describe('the answers of a form', () => {
  it('are sent only for the variables that are asked for', () => {
    const values = { regions: ['fra'], token: 'hunter2', canary: 'false', hosts: '7' };
    expect(readAnswers(SURVEY, values).asked).toEqual([region, token, canary]);
    expect(answersBody(SURVEY, values)).toEqual({ regions: ['fra'], token: 'hunter2', canary: 'false' });
    expect(answersBody(SURVEY, { ...values, canary: 'true' })).toMatchObject({ hosts: '7' });
  });

  it('replace a default by no answer when they are cleared', () => {
    expect(answersBody(SURVEY, { regions: [], token: '', canary: 'false', hosts: '' })).toEqual({
      regions: null,
      canary: 'false',
    });
  });

  it('keep spaces only in secrets and in text of several lines', () => {
    const survey = [sampleVariable({ name: 'a' }), sampleVariable({ name: 'b', type: 'multiline' }), token];
    expect(answersBody(survey, { a: ' x ', b: ' x\n', token: ' x ' })).toEqual({ a: 'x', b: ' x\n', token: ' x ' });
  });
});
