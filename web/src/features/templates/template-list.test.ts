import { describe, expect, it } from 'vitest';
import { sampleTask, sampleTemplate } from '../../testing/sample.ts';
import {
  type Names,
  namesById,
  nextSorting,
  readSorting,
  type SortKey,
  sortingText,
  sortTemplates,
  templateFilter,
} from './template-list.ts';

const names: Names = {
  inventory: namesById([{ id: 1, name: 'Frankfurt' }]),
  environment: namesById([{ id: 1, name: 'Production' }]),
  repository: namesById(undefined),
};

const templates = [
  sampleTemplate({
    id: 1,
    name: 'web 10',
    playbook: 'b.yml',
    last_task: sampleTask({ id: 9, status: 'error' }),
    last_task_id: 9,
  }),
  sampleTemplate({ id: 2, name: 'Web 2', playbook: 'a.yml', inventory_id: 7 }),
  sampleTemplate({
    id: 3,
    name: 'apt',
    playbook: 'c.yml',
    last_task: sampleTask({ id: 12, user_name: 'Ivo' }),
    last_task_id: 12,
  }),
];

describe('filtering templates', () => {
  it.each([
    ['', [1, 2, 3]],
    ['web', [1, 2]],
    ['frankfurt', [1, 3]],
    ['web frankfurt', [1]],
    ['error', [1]],
    ['ivo', [3]],
    ['a.yml', [2]],
    ['nothing', []],
  ])('by %j searches every column', (text, found) => {
    expect(templateFilter(templates, names)(text).map(({ id }) => id)).toEqual(found);
  });
});

describe('sorting templates', () => {
  it.each<[SortKey, boolean, number[]]>([
    ['name', false, [3, 2, 1]],
    ['name', true, [1, 2, 3]],
    ['playbook', false, [2, 1, 3]],
    ['last_task', true, [3, 1, 2]],
    ['status', false, [2, 1, 3]],
    ['inventory', false, [2, 3, 1]],
  ])('by %s, descending %s', (by, descending, order) => {
    expect(sortTemplates(templates, { by, descending }, names).map(({ id }) => id)).toEqual(order);
  });

  it('is reversed by a second click, and begins with the newest task', () => {
    expect(nextSorting({ by: 'name', descending: false }, 'name')).toEqual({ by: 'name', descending: true });
    expect(nextSorting({ by: 'name', descending: true }, 'status')).toEqual({ by: 'status', descending: false });
    expect(nextSorting({ by: 'name', descending: true }, 'last_task')).toEqual({ by: 'last_task', descending: true });
  });
});

describe('the sort order in the URL', () => {
  it.each([
    [undefined, { by: 'name', descending: false }],
    ['-name', { by: 'name', descending: true }],
    ['status', { by: 'status', descending: false }],
    ['-last_task', { by: 'last_task', descending: true }],
  ] as const)('%s is read and written', (text, sorting) => {
    expect(readSorting(text)).toEqual(sorting);
    expect(sortingText(sorting)).toBe(text);
  });

  it('is by name if the URL contains an invalid one', () => {
    expect(readSorting('outcomes')).toEqual({ by: 'name', descending: false });
    expect(readSorting('-')).toEqual({ by: 'name', descending: false });
  });
});
