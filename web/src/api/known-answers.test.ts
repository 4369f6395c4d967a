import { expect, it } from 'vitest';
import { answerCalls } from '../testing/test-fetch.ts';
import { call } from './call.ts';

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
const listOf = (count: number, etag: string) => ({ status: 200, body: rows(count), headers: { etag } });
const params = { project_id: 1 };

it('a long list that has not changed is not read again', async () => {
  let etag = '"first"';
  answerCalls(() => listOf(50, etag));
  const first = await call('listTemplates', { params });
  expect(await call('listTemplates', { params })).toBe(first);
  etag = '"second"';
  const second = await call('listTemplates', { params });
  expect(second).not.toBe(first);
  expect(second).toEqual(first);
  expect(await call('listTemplates', { params: { project_id: 2 } })).not.toBe(second);
});

it('a short list and an object are read each time, also with the same ETag', async () => {
  const answers: unknown[] = [rows(3), rows(4), { id: 1 }, { id: 2 }];
  answerCalls(() => ({ status: 200, body: answers.shift(), headers: { etag: '"same"' } }));
  expect(await call('listTemplates', { params })).toHaveLength(3);
  expect(await call('listTemplates', { params })).toHaveLength(4);
  expect(await call('currentUser')).toEqual({ id: 1 });
  expect(await call('currentUser')).toEqual({ id: 2 });
});
