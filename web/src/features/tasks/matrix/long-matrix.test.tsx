import type { HostRecord, RunHost, RunSteps, RunSummary } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { NO_COMPARISON, sampleCluster, sampleTask } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls, type Made } from '../../../testing/test-fetch.ts';
import { TaskView } from '../task-view.tsx';

const HOSTS = 10_000;
const STEPS = 100;

const summary: RunSummary = {
  results: HOSTS * STEPS,
  complete: true,
  recap_line: 900,
  recap_at: 9000,
  steps: STEPS,
  hosts: { total: HOSTS, ok: HOSTS - 3, changed: 5, failed: 2, unreachable: 1, rescued: 0, ignored: 0, skipped: 0 },
  failures: 3,
  plays: [{ play: 1, name: 'Everything', line: 5, at: 1000, end: 9000, hosts: HOSTS, steps: STEPS, bad: 3 }],
};

const counts = { ok: HOSTS, changed: 0, failed: 0, ignored: 0, skipped: 0, unreachable: 0, rescued: 0 };
const stepsFrom = (from: number, limit: number): RunSteps => ({
  first: from,
  total: STEPS,
  steps: Array.from({ length: Math.max(0, Math.min(limit, STEPS - from + 1)) }, (_, at) => ({
    step: from + at,
    play: 1,
    name: `Step ${from + at}`,
    action: 'ping',
    handler: false,
    line: 10 + from + at,
    at: 1000,
    end: 2000,
    counts: from + at === 2 ? { ...counts, ok: HOSTS - 3, failed: 2, unreachable: 1 } : counts,
  })),
});

const hostAt = (number: number, stepLimit: number): RunHost => ({
  number: number,
  host: `host-${number}`,
  ok: STEPS,
  changed: 0,
  failures: number === 1 ? 1 : 0,
  ignored: 0,
  skipped: 0,
  rescued: 0,
  unreachable: 0,
  ms: 100,
  cells: number === 1 ? `of${'.'.repeat(stepLimit - 2)}` : 'o'.repeat(stepLimit),
});

const failure = (host: string): HostRecord => ({
  kind: 'host',
  at: 1500,
  line: 77,
  step: 2,
  host,
  result: 'failed',
  message: 'disk full',
});

const answer = ({ path, query }: Made) => {
  const from = Number(query.get('from') ?? 1);
  const limit = Number(query.get('limit') ?? 100);
  if (path.endsWith('/role')) return { status: 200, body: { role: 'x', permissions: 1 } };
  if (path.endsWith('/tasks/5')) return { status: 200, body: sampleTask({ id: 5, status: 'error' }) };
  if (path.endsWith('/lines'))
    return { status: 200, body: { first: 1, total: 0, sealed: true, missing: 0, lines: [] } };
  if (path.endsWith('/tasks/5/failures'))
    return {
      status: 200,
      body: {
        first: 1,
        total: 3,
        hosts: 3,
        clusters: [sampleCluster({ title: 'disk full', first_hosts: ['host-1', 'host-9'] })],
      },
    };
  if (path.endsWith('/comparison')) return { status: 200, body: NO_COMPARISON };
  if (path.endsWith('/results/summary')) return { status: 200, body: summary };
  if (path.endsWith('/results/steps')) return { status: 200, body: stepsFrom(from, limit) };
  if (path.endsWith('/results/failures'))
    return { status: 200, body: { first: 1, total: 3, records: [failure('host-1'), failure('host-9')] } };
  if (/\/results\/hosts\/\d+$/.test(path))
    return { status: 200, body: { first: 1, total: 1, records: [failure('host-1')] } };
  if (path.endsWith('/results/hosts')) {
    const wide = Number(query.get('step_limit'));
    const hosts = Array.from({ length: limit }, (_, at) => hostAt(from + at, Math.min(wide, STEPS)));
    return { status: 200, body: { first: from, total: HOSTS, hosts } };
  }
  if (path.endsWith('/results')) return { status: 200, body: { first: 1, total: HOSTS * STEPS, records: [] } };
  return { status: 200, body: [] };
};

const showLong = async (tab: 'hosts' | 'summary', given = answer) => {
  const calls = answerCalls(given);
  await show(
    <TaskView project={1} task={5} heading="h1" tab={tab} onUrlState={() => undefined} onRunAgain={() => undefined} />,
  );
  return { calls, user: userEvent.setup() };
};

describe('a run of a million results', () => {
  it('loads all hosts in pieces, folds those that are alike, and requests a result when it is opened', async () => {
    const { calls, user } = await showLong('hosts');
    // By its label: roles are slow to find among so many cells.
    const cell = await screen.findByLabelText('host-1, Step 2: failed');
    const names = () => [...document.querySelectorAll('tbody th')].map(({ textContent }) => textContent);
    await waitFor(() => expect(names()).toEqual(['host-1', 'host-2 and 9,998 more']));
    expect(document.querySelector('[data-tab=hosts]')?.textContent).toContain('10,000');
    expect(screen.getByText('9,999 of 10,000 done, 3 failed')).toBeTruthy();
    expect(calls.filter(({ path }) => path.endsWith('/results')).length).toBe(1);
    const pages = calls.filter(({ path }) => path.endsWith('/results/hosts'));
    expect(pages).toHaveLength(20);
    expect(pages.every(({ query }) => query.get('sort') === 'number')).toBe(true);
    await user.click(cell);
    const result = await screen.findByRole('complementary', { name: 'Result' });
    expect(await within(result).findByText('disk full')).toBeTruthy();
    await user.click(screen.getByLabelText('Host, group or pattern'));
    await user.paste('nobody');
    expect(await screen.findByText('No hosts match')).toBeTruthy();
  }, 30_000);

  it('names the number of shown hosts if it has more than a page can hold', async () => {
    const huge = { ...summary, hosts: { ...summary.hosts, total: 500_000 } };
    await showLong('hosts', (made) =>
      made.path.endsWith('/results/summary') ? { status: 200, body: huge } : answer(made),
    );
    const text = 'The run has 500,000 hosts. The first 400,000 hosts are shown.';
    expect(await screen.findByText(text)).toBeTruthy();
  }, 30_000);

  it('shows the first failures and the number of the others', async () => {
    const { calls } = await showLong('summary');
    const panel = await screen.findByRole('tabpanel', { name: 'Summary' });
    expect(await within(panel).findByRole('heading', { name: '2 hosts disk full' })).toBeTruthy();
    expect(within(panel).getByText('host-9')).toBeTruthy();
    expect(within(panel).getByRole('button', { name: 'Show 2 more failures' })).toBeTruthy();
    expect(within(panel).getByText('9997')).toBeTruthy();
    expect(calls.filter(({ path }) => path.endsWith('/results')).length).toBe(1);
  });
});
