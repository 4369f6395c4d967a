import { describe, expect, it } from 'vitest';
import { ALERTS } from './catalogues.ts';
import { textsIn } from './message-text.ts';

const english = {
  'field.range': 'must be from {{min}} to {{max}}',
  day: 'day',
  cron: 'Cron: {{why}}',
  'cron.value': 'the {{field}} is wrong',
  tasks_one: '{{count}} task of {{name}}',
  tasks_other: '{{count}} tasks of {{name}}',
};
const german = {
  'field.range': 'muss von {{min}} bis {{max}} gehen',
  day: 'Tag',
  cron: 'Cron: {{why}}',
  'cron.value': 'der {{field}} ist falsch',
};

describe('textsIn', () => {
  const make = textsIn('de', [german], [english]);

  it('fills the parameters into the text of the language', () => {
    expect(make({ code: 'field.range', params: { min: 0, max: 1000 } })).toBe('muss von 0 bis 1000 gehen');
    expect(make({ code: 'day' })).toBe('Tag');
  });

  it('translates messages among the parameters', () => {
    const why = { code: 'cron.value', params: { field: { code: 'day' } } };
    expect(make({ code: 'cron', params: { why } })).toBe('Cron: der Tag ist falsch');
    expect(make({ code: 'cron', params: { why: { code: 'unknown' } } })).toBeUndefined();
  });

  it('uses the English text where the language has none, and returns undefined for an unknown code', () => {
    expect(make({ code: 'tasks', params: { count: 1, name: 'Web' } })).toBe('1 task of Web');
    expect(make({ code: 'nothing' })).toBeUndefined();
    expect(make({ code: 'constructor' })).toBeUndefined();
  });

  it('shows parameters exactly as given and leaves out missing ones', () => {
    const name = '{{count}} $t(day) <b>&amp;';
    expect(make({ code: 'tasks', params: { count: 2, name } })).toBe(`2 tasks of ${name}`);
    expect(make({ code: 'cron', params: {} })).toBe('Cron: ');
    expect(make({ code: 'day', params: { lng: 'en', context: 'x', defaultValue: 'y' } })).toBe('Tag');
  });

  it('uses the plural forms and number formats of each language', () => {
    const hosts = (language: keyof typeof ALERTS) => {
      const text = textsIn(language, [ALERTS[language]]);
      return [1, 2, 5, 1234].map((count) => text({ code: 'hosts', params: { count } }));
    };
    expect(hosts('en')).toEqual(['1 host failed', '2 hosts failed', '5 hosts failed', '1,234 hosts failed']);
    expect(hosts('ru')).toEqual([
      'Ошибка на 1 хосте',
      'Ошибка на 2 хостах',
      'Ошибка на 5 хостах',
      'Ошибка на 1\u00a0234 хостах',
    ]);
    expect(hosts('de')[3]).toBe('1.234 Hosts fehlgeschlagen');
  });
});
