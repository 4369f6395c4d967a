import type { Failure } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { sampleTemplate } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { FailuresPage } from './failures-page.tsx';

const NOTHING_WRITTEN: Failure['remark'] = {
  ...{ note: '', note_by: '', note_at: null, known: false, known_until: null, known_commit: '' },
  ...{ known_by: '', known_at: null, assignment: null },
};

const failure = (change: Partial<Failure>): Failure => ({
  id: 1,
  project_id: 1,
  fingerprint: 'f1',
  result: 'failed',
  cause: null,
  title: 'exit code 3',
  action: 'command',
  step: 'Migrate',
  trend: 'ongoing',
  template_id: 1,
  hosts: 2,
  open_hosts: 2,
  days: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3],
  seen: {
    times: 4,
    since: '2026-11-20T10:00:00.000Z',
    last: '2026-11-21T10:00:00.000Z',
    first_task_id: 4,
    last_task_id: 9,
    fixed_by: null,
  },
  remark: NOTHING_WRITTEN,
  ...change,
});

const FAILURES = [
  failure({ id: 1, title: 'over', trend: 'gone' }),
  failure({ id: 2, title: 'known', trend: 'new', remark: { ...NOTHING_WRITTEN, known: true } }),
  failure({ id: 3, cause: 'no_space', trend: 'returned' }),
];

it('the failures of a project are listed with what needs attention first, and are found by their text', async () => {
  answerCalls(({ path }) => {
    if (path.endsWith('/failures')) return { status: 200, body: { first: 1, total: 140, failures: FAILURES } };
    return { status: 200, body: path.endsWith('/templates') ? [sampleTemplate()] : [] };
  });
  const changes: unknown[] = [];
  await show(<FailuresPage project={1} state={{}} onState={(change) => changes.push(change)} />);
  const list = await screen.findByRole('table', { name: 'Failures' });
  await within(list).findAllByRole('link', { name: 'Ping Site' });
  const [, ...rows] = within(list).getAllByRole('row');
  const names = rows.map((row) => within(row).getAllByRole('link')[0]?.textContent);
  expect(names).toEqual(['No space left on device', 'over', 'known']);
  expect(
    within(rows[0] as HTMLElement)
      .getByRole('img')
      .getAttribute('aria-label'),
  ).toContain('0, 1, 3');
  expect(rows[2]?.textContent).toContain('Newknown');
  expect(screen.getByText('The last 3 of 140')).toBeTruthy();
  await userEvent.setup().type(screen.getByRole('searchbox', { name: 'Find a failure' }), 'x');
  expect(changes).toContainEqual({ q: 'x' });
});

it('older failures than the listed ones are found by the server', async () => {
  const old = failure({ id: 9, title: 'quota exceeded', trend: 'gone' });
  answerCalls(({ path, query }) => {
    if (path.endsWith('/failures'))
      return {
        status: 200,
        body: { first: 1, total: 140, failures: query.get('search') === 'quota' ? [old] : FAILURES },
      };
    return { status: 200, body: path.endsWith('/templates') ? [sampleTemplate()] : [] };
  });
  await show(<FailuresPage project={1} state={{ q: 'quota' }} onState={() => undefined} />);
  expect(await screen.findByRole('link', { name: 'quota exceeded' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'known' })).toBeNull();
});

it('templates that fail before they reach a host are listed too, so that as many failures are listed as are open', async () => {
  const broken = { template_id: 7, name: 'Certificates', task_id: 31, end_reason: null, runs: 2 };
  answerCalls(({ path }) => {
    if (path.endsWith('/failures')) return { status: 200, body: { first: 1, total: 3, failures: FAILURES } };
    if (path.endsWith('/overview'))
      return { status: 200, body: { broken: [{ ...broken, since: '2026-11-21T10:00:00.000Z' }] } };
    return { status: 200, body: path.endsWith('/templates') ? [sampleTemplate()] : [] };
  });
  await show(<FailuresPage project={1} state={{}} onState={() => undefined} />);
  const list = await screen.findByRole('region', { name: 'Templates that fail before they reach a host' });
  expect(within(list).getByRole('link', { name: 'Certificates' })).toBeTruthy();
  expect(within(list).getByRole('link', { name: '#31' })).toBeTruthy();
});
