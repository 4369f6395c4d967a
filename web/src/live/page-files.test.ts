import { expect, it, vi } from 'vitest';
import { PageFiles } from './page-files.ts';

const html = (file: string): string =>
  `<html><script nonce="x" type="module" crossorigin src="${file}"></script></html>`;
const filesOf = (readPage: () => Promise<string>) => {
  const target = new EventTarget();
  const files = new PageFiles({ window: target, entry: './assets/index-a.js', readPage });
  const reports: boolean[] = [];
  files.subscribe(() => reports.push(files.isOutdated));
  return { target, files, reports };
};

it('reports an upgrade when the servers have another program', async () => {
  const { files, reports } = filesOf(() => Promise.resolve(html('./assets/index-b.js')));
  expect(files.isOutdated).toBe(false);
  await files.check();
  expect(reports).toEqual([true]);
});

it('checks when a part of the page cannot be loaded, and reports nothing if only the server does not answer', async () => {
  const answers = [
    () => Promise.reject(new TypeError('fetch failed')),
    () => Promise.resolve(html('./assets/index-b.js')),
  ];
  const { target, files } = filesOf(() => answers.shift()?.() ?? Promise.resolve(''));
  target.dispatchEvent(new Event('vite:preloadError'));
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  expect(files.isOutdated).toBe(false);
  target.dispatchEvent(new Event('vite:preloadError'));
  await vi.waitFor(() => expect(files.isOutdated).toBe(true));
});

it('checks when the user returns to the page', async () => {
  const { target, files } = filesOf(() => Promise.resolve(html('./assets/index-b.js')));
  target.dispatchEvent(new Event('focus'));
  await vi.waitFor(() => expect(files.isOutdated).toBe(true));
});

it.each([
  ['the same program', () => Promise.resolve(html('./assets/index-a.js'))],
  ['no page', () => Promise.resolve('{"error":"unavailable"}')],
  ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
])('reports nothing for %s', async (_, readPage) => {
  const { files, reports } = filesOf(readPage);
  await files.check();
  expect(files.isOutdated).toBe(false);
  expect(reports).toEqual([]);
});
