import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { ApiDocsPage } from './api-docs-page.tsx';

const FILE = join(import.meta.dirname, '../../../../docs/api/openapi.json');
const DOCUMENT: unknown = JSON.parse(readFileSync(FILE, 'utf8'));

const open = async (hash = '') => {
  const made = answerCalls(() => ({ status: 200, body: DOCUMENT }));
  const shown = await show(
    <Suspense>
      <ApiDocsPage />
    </Suspense>,
    { at: `/api/docs${hash}` },
  );
  await screen.findByRole('heading', { level: 1, name: 'API' });
  return { made, shown };
};

it('the API page requests only the description of the API, and lists the calls by noun', async () => {
  const { made } = await open();
  expect(made.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/openapi.json']);
  const contents = screen.getByRole('navigation', { name: 'Contents' });
  for (const name of ['Tasks', 'Templates', 'Keys']) {
    expect(within(contents).getByRole('link', { name: new RegExp(`^${name}`) })).toBeTruthy();
    expect(screen.getByRole('heading', { level: 2, name })).toBeTruthy();
  }
});

it('the API page opens a call with the keyboard and shows all of it', async () => {
  const { shown } = await open();
  const call = shown.container.querySelector('#createTask') as HTMLDetailsElement;
  expect(within(call).queryByText('Parameters')).toBeNull();
  await userEvent.click(call.querySelector('summary') as HTMLElement);
  expect(call.textContent).toContain('run_tasks');
  expect(call.textContent).toContain('JSON of at most 256 KiB.');
  for (const part of ['Parameters', 'Body', 'Response', 'Errors', 'Example'])
    expect(within(call).getByRole('heading', { level: 4, name: part })).toBeTruthy();
  expect(call.querySelector('pre')?.textContent).toMatch(/Authorization: Bearer[\s\S]*"template_id": 3/);
  await userEvent.click(call.querySelector('summary') as HTMLElement);
  expect(within(call).queryByText('Parameters')).toBeNull();
});

it('the API page is searched while the user types, and shows the number of matches', async () => {
  const { shown } = await open();
  await userEvent.type(screen.getByRole('searchbox'), 'validate cron');
  expect(screen.getByRole('status').textContent).toBe('1 call');
  expect(shown.container.querySelectorAll('details')).toHaveLength(1);
  await userEvent.type(screen.getByRole('searchbox'), ' nowhere');
  expect(screen.getByText('No calls match.')).toBeTruthy();
});

it('the API page opens the call of the URL', async () => {
  const { shown } = await open('#createKey');
  const opened = [...shown.container.querySelectorAll('details[open]')].map(({ id }) => id);
  expect(opened).toEqual(['createKey']);
});

it('the API page lists the alternatives of a shape by their codes', async () => {
  await open();
  const shape = screen.getByRole('heading', { level: 3, name: 'StoredEndReason' }).parentElement as HTMLElement;
  expect(within(shape).getByText('stop.user').parentElement?.textContent).toBe('stop.user { user }');
  expect(within(shape).getByText('time_limit')).toBeTruthy();
});
