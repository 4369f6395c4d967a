import type { ResultRecord, RunTimeline } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { sampleTask } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { buildRun } from '../results/run-model.ts';
import { TimelineLegend } from './timeline-legend.tsx';
import { TimelineTab } from './timeline-tab.tsx';

const step = { kind: 'step', play: 1, action: 'copy', handler: false } as const;
const RECORDS: ResultRecord[] = [
  { kind: 'play', at: 0, line: 1, play: 1, name: 'Site', hosts: 30 },
  { ...step, at: 0, line: 7, step: 1, name: 'Copy files' },
  { ...step, at: 4_000, line: 9, step: 2, name: 'Restart' },
];
const hosts = Array.from({ length: 30 }, (_, at) => ({
  ...{
    number: at + 1,
    host: `web-${at + 1}`,
    ms: 5_000 - at,
    waited_for_ms: 30 - at,
    cells: 'oc',
    times: [1_000, 2_000],
  },
}));
const timed = { play: 1, hosts: 30, p50: 1_000 };
const TIMELINE: RunTimeline = {
  ...{ started: 0, complete: true, ms: 10_000, first_step: 1, total_steps: 2, first: 1, total: 30, hosts },
  steps: [
    {
      ...timed,
      step: 1,
      name: 'Copy files',
      line: 7,
      at: 0,
      end: 4_000,
      waited: 61_000,
      slowest: { number: 2, host: 'web-2', ms: 4_000 },
    },
    {
      ...timed,
      step: 2,
      name: 'Restart',
      line: 9,
      at: 4_000,
      end: 10_000,
      waited: 0,
      slowest: { number: 1, host: 'web-1', ms: 6_000 },
    },
  ],
};
const RESULT = { kind: 'host', at: 4_000, line: 8, step: 1, host: 'web-2', result: 'ok', message: '' };

const showTab = async () => {
  const lines: number[] = [];
  const calls = answerCalls(({ path }) => ({
    status: 200,
    body: path.endsWith('/timeline') ? TIMELINE : { first: 1, total: 1, records: [RESULT] },
  }));
  const onLine = (line: number) => lines.push(line);
  await show(<TimelineTab task={sampleTask({ id: 5 })} run={buildRun(RECORDS)} onLine={onLine} />);
  await screen.findByRole('group', { name: /^Hosts by time/ });
  return { calls, lines };
};

it('the legend has a shape for each result, as in the matrix, with ignored apart from skipped', async () => {
  await show(<TimelineLegend />);
  const items = screen.getAllByRole('listitem').slice(0, -2);
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'ok',
    'changed',
    'skipped',
    'ignored',
    'rescued',
    'failed',
    'unreachable',
  ]);
  expect(screen.getByText('is not reached any more').querySelector('i')).toBeTruthy();
  expect(new Set(items.map((item) => item.querySelector('svg')?.innerHTML)).size).toBe(items.length);
});

it('the table names the slowest host of each step, opens its result, and leads to the lines of the step', async () => {
  const { calls, lines } = await showTab();
  await userEvent.click(screen.getByRole('button', { name: 'Table' }));
  const [, first] = within(screen.getByRole('region', { name: 'Steps by time' })).getAllByRole('row');
  expect(first?.textContent).toBe('Copy files0:0440%web-2 0:041:01');
  await userEvent.click(screen.getByRole('button', { name: 'Copy files' }));
  expect(lines).toEqual([7]);
  await userEvent.click(screen.getByRole('button', { name: 'web-2' }));
  expect((await screen.findByRole('complementary', { name: 'Result' })).textContent).toContain('web-2');
  expect(calls.some(({ path, query }) => path.endsWith('/hosts/2') && query?.get('step') === '1')).toBe(true);
});

it('the arrow keys move in the chart and describe the part, and Enter opens its result', async () => {
  const { calls } = await showTab();
  const chart = screen.getByRole('group', { name: /^Hosts by time/ });
  chart.focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(screen.getByText('web-1 worked on “Copy files” for 0:01, then waited 0:03 for web-2.')).toBeTruthy();
  await userEvent.keyboard('{ArrowDown}{ArrowRight}');
  expect(screen.getByText('web-2 worked on “Restart” for 0:02, then waited 0:04 for web-1.')).toBeTruthy();
  await userEvent.keyboard('{Enter}');
  await screen.findByRole('complementary', { name: 'Result' });
  expect(calls.some(({ path, query }) => path.endsWith('/hosts/2') && query?.get('step') === '2')).toBe(true);
});

it('hosts beyond the twenty that others waited for longest are one row, until they are unfolded', async () => {
  await showTab();
  const chart = screen.getByRole('group', { name: /^Hosts by time/ });
  chart.focus();
  await userEvent.keyboard(`{ArrowRight}${'{ArrowDown}'.repeat(25)}`);
  expect(screen.getByText(/^10 more hosts, median worked on “Copy files” for 0:01/)).toBeTruthy();
  await userEvent.keyboard('{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Fold hosts' }));
  expect(screen.getByRole('button', { name: 'Show all 30 hosts' })).toBeTruthy();
});
