import { describe, expect, it, onTestFinished } from 'vitest';
import { chooseLanguage } from '../../../lang/language.ts';
import { sampleTask } from '../../../testing/sample.ts';
import { filterTasks, PAGE_SIZE, pageOf } from './history-list.ts';

const tasks = [
  sampleTask({ id: 12, tpl_alias: 'Deploy storefront', user_name: 'Mara', version: '2.14.0', status: 'running' }),
  sampleTask({ id: 11, tpl_alias: 'Build storefront', user_name: 'Jonas', message: 'Raise keepalive' }),
  sampleTask({ id: 10, tpl_alias: 'Ping', user_name: '' }),
];
const ids = (text: string) => filterTasks(tasks, text).map(({ id }) => id);

describe('filtering the history', () => {
  it.each([
    ['', [12, 11, 10]],
    ['   ', [12, 11, 10]],
    ['storefront', [12, 11]],
    ['STOREFRONT mara', [12]],
    ['#11', [11]],
    ['2.14', [12]],
    ['keepalive', [11]],
    ['running', [12]],
    ['Success', [11, 10]],
    ['nothing like that', []],
  ])('by %j', (text, found) => {
    expect(ids(text)).toEqual(found);
  });
});

describe('the texts of the filtered rows', () => {
  it.each([
    ['en', 'failed'],
    ['de', 'Fehlgeschlagen'],
    ['fr', 'ÉCHEC'],
    ['pt', 'falhou'],
    ['ru', 'ошибка'],
    ['zh', '失败'],
  ] as const)('find failed tasks in %s by %s', async (language, label) => {
    onTestFinished(() => chooseLanguage('en'));
    await chooseLanguage(language);
    const listed = [sampleTask({ id: 2, status: 'error' }), sampleTask({ id: 1 })];
    expect(filterTasks(listed, label).map(({ id }) => id)).toEqual([2]);
  });
});

describe('a page of the history', () => {
  const rows = Array.from({ length: 45 }, (_, at) => at);

  it('has 20 rows, and the last page the remaining rows', () => {
    expect(PAGE_SIZE).toBe(20);
    expect(pageOf(rows, 0)).toHaveLength(20);
    expect(pageOf(rows, 1)[0]).toBe(20);
    expect(pageOf(rows, 2)).toEqual([40, 41, 42, 43, 44]);
    expect(pageOf(rows, 3)).toEqual([]);
  });
});
