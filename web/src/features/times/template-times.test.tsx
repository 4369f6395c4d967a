import type { SlowStep, TemplateTimes as Times } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { sampleTemplate } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { TemplateTimes } from './template-times.tsx';

const step = (name: string, change: Partial<SlowStep> = {}): SlowStep => ({
  ...{
    play: 'Site',
    name,
    path: 'site.yml:3',
    task_id: 9,
    step: 2,
    usual_ms: 65_000,
    share: 0.5,
    trend: [60_000, null, 70_000],
  },
  ...change,
});
const TIMES: Times = {
  runs: [5, 8, 9].map((task_id) => ({ task_id, ms: 130_000 })),
  steps: [step('Install'), step('Check', { usual_ms: 4_000, share: 0.03, trend: [4_000] })],
  hosts: ['web-1', 'web-2'].map((host, at) => ({
    host,
    usual_ms: 90_000,
    waited_for_ms: 9_000 * at,
    task_id: 9,
    runs: 3,
  })),
  slower: {
    ...{ task_id: 8, created: '2026-11-20T10:00:00.000Z', before_id: 5, before_ms: 60_000, after_ms: 130_000 },
    steps: [{ play: 'Site', name: 'Install', step: 2, task_id: 9, before_ms: 10_000, after_ms: 70_000 }],
    ...{ changed: ['commit_hash', 'limit'], answers: ['release'], hosts_before: 12, hosts_after: 14 },
    versions: [{ what: 'collection', name: 'community.general', earlier: '8.6.1', later: '9.0.0' }],
  },
};
const showTimes = async (times: Times) => {
  answerCalls(() => ({ status: 200, body: times }));
  return await show(<TemplateTimes template={sampleTemplate()} />);
};
const hrefOf = (name: string, within_: HTMLElement) =>
  within(within_).getAllByRole('link', { name })[0]?.getAttribute('href') ?? '';

it('the slowest steps and hosts of a template have their usual times, and lead to the timeline of a run', async () => {
  await showTimes(TIMES);
  const steps = await screen.findByRole('table', { name: 'Slowest steps' });
  const [, first] = within(steps).getAllByRole('row');
  expect(first?.textContent).toContain('Install1:0550%');
  expect(within(steps).getByRole('img', { name: '1:00 at first, 1:10 now' })).toBeTruthy();
  expect(hrefOf('Install', steps)).toContain('t=9&tab=timeline');
  const [, , second] = within(screen.getByRole('table', { name: 'Slowest hosts' })).getAllByRole('row');
  expect(second?.textContent).toBe('web-21:300:09');
});

it('a template that became slower names the first slower run, what changed in it, and the steps', async () => {
  const { container } = await showTimes(TIMES);
  const region = await screen.findByRole('region', { name: 'Where the time goes' });
  expect(container.textContent).toContain('is the first slower run: 1:00 before, 2:10 from it on.');
  expect(
    within(region).getByText(
      'Commit, Limit to hosts, Collection community.general, hosts (12 → 14), and release changed in this run.',
    ),
  ).toBeTruthy();
  expect(hrefOf('Compare #8 with #5', region)).toContain('t=8&tab=compare&with=5');
  expect(within(region).getByText('0:10 before, 1:10 now')).toBeTruthy();
});

it('a template shows how many successful runs are missing until ends are expected', async () => {
  await showTimes({ runs: [], steps: [], hosts: [], slower: null });
  expect(await screen.findByText(/no expected end yet: 3 more successful runs/)).toBeTruthy();
  await showTimes({ ...TIMES, runs: TIMES.runs.slice(1) });
  expect(await screen.findByText(/no expected end yet: 1 more successful run with/)).toBeTruthy();
});

it('no change is shown of a template that is not slower, and no missing runs of one with three', async () => {
  await showTimes({ ...TIMES, slower: null });
  await screen.findAllByRole('table', { name: 'Slowest steps' });
  expect(screen.queryByText(/first slower run|no expected end/)).toBeNull();
});
