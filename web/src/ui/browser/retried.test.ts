import { expect, it } from 'vitest';
import { retried } from './retried.ts';

const wait = () => Promise.resolve();

it('a part of the page is loaded again after a failure', async () => {
  let calls = 0;
  const load = () => {
    calls++;
    return calls < 3 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve('loaded');
  };
  expect(await retried(load, wait)).toBe('loaded');
  expect(calls).toBe(3);
});

it('a part of the page that never loads is an error', async () => {
  let calls = 0;
  const load = () => {
    calls++;
    return Promise.reject(new TypeError('Failed to fetch'));
  };
  await expect(retried(load, wait)).rejects.toThrow('Failed to fetch');
  expect(calls).toBe(20);
});
