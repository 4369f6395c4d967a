import { describe, expect, it } from 'vitest';
import { chooseProject } from './project-choice.ts';
import { readHistorySearch, readNext, readProjectSearch, withoutRun, withoutTask } from './search.ts';

describe('the query of a URL', () => {
  it.each([
    [
      { t: 5, tab: 'hosts', line: 12 },
      { t: 5, tab: 'hosts', line: 12 },
    ],
    [{ t: '5' }, { t: 5 }],
    [
      { run: 6, limit: 'web-1,web-2' },
      { run: 6, limit: 'web-1,web-2' },
    ],
    [{ limit: 5 }, { limit: '5' }],
    [{ limit: ['web'] }, {}],
    [
      { line: '12-40', find: 'no space' },
      { line: '12-40', find: 'no space' },
    ],
    [{ t: 'five', line: -1, run: 0, again: 1.5 }, {}],
    [{ tab: 'nothing' }, {}],
    [{ field: 'limit' }, { field: 'limit' }],
    [{ field: 'nothing' }, {}],
    [{ other: 'x' }, {}],
    [
      { run: 6, again: 9 },
      { run: 6, again: 9 },
    ],
  ])('%j is read as %j', (given, read) => {
    expect(readProjectSearch(given)).toEqual(read);
  });

  it('loses the parameter of a dialog when it is closed, and keeps that of the other', () => {
    const search = { t: 1, tab: 'log', line: 2, run: 3, again: 4, limit: 'web', field: 'limit' } as const;
    expect(withoutTask(search)).toEqual({ run: 3, again: 4, limit: 'web', field: 'limit' });
    expect(withoutRun(search)).toEqual({ t: 1, tab: 'log', line: 2 });
  });
});

describe('the query of the history page', () => {
  it.each([
    [
      {
        q: 'web',
        sort: '-start',
        page: '2',
        status: 'error',
        reason: 'hosts.failed',
        template: 4,
        user: '7',
        filter: 3,
      },
      { q: 'web', sort: '-start', page: 2, status: 'error', reason: 'hosts.failed', template: 4, user: 7, filter: 3 },
    ],
    [
      { days: '7', from: '2026-11-21', to: '2026-11-23' },
      { days: 7, from: '2026-11-21', to: '2026-11-23' },
    ],
    [{ days: 99_999, from: '21.11.2026', to: '2026-13-40' }, {}],
    [{ page: 0, status: 'done', reason: 'hosts', template: 'x', user: -1, q: '' }, {}],
  ])('%j is read as %j', (given, read) => {
    expect(readHistorySearch(given)).toEqual(read);
  });
});

describe('the page after signing in', () => {
  it.each([
    ['/project/1/templates?t=5', '/project/1/templates?t=5'],
    ['//evil.example', undefined],
    ['/\\evil.example', undefined],
    ['https://evil.example', undefined],
    ['javascript:alert(1)', undefined],
    ['', undefined],
    [undefined, undefined],
    [5, undefined],
  ])('%j leads to %j', (next, page) => {
    expect(readNext(next)).toBe(page);
  });
});

describe('the most suitable project', () => {
  const projects = [{ id: 3 }, { id: 5 }, { id: 8 }];

  it.each([
    [8, 5, 8],
    [undefined, 5, 5],
    [99, 5, 5],
    [undefined, 99, 3],
    [undefined, undefined, 3],
  ])('asked %s, last %s: %s', (asked, last, chosen) => {
    expect(chooseProject(projects, asked, last)).toBe(chosen);
  });

  it('is undefined without projects', () => {
    expect(chooseProject([], 1, 2)).toBeUndefined();
  });
});
