import type { ResultRecord } from '@signalbox/contract';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { sampleTask } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { buildRun } from './results/run-model.ts';
import { TaskProgress } from './task-progress.tsx';

const at = Date.now() - 60_000;
const step = { kind: 'step', at, play: 1, action: 'command', handler: false, path: '' } as const;
const RECORDS: ResultRecord[] = [
  { kind: 'play', at, line: 1, play: 1, name: 'Site', hosts: 1 },
  { ...step, line: 2, step: 1, name: 'Prepare' },
  { ...step, line: 3, step: 2, name: 'Copy' },
];

/** The length of each section of the bar, in steps. */
const lengths = async (left: number | null) => {
  answerCalls(() => ({ status: 200, body: [] }));
  const task = {
    ...sampleTask({ status: 'running', start: new Date(at).toISOString(), end: null }),
    expected_end: left === null ? null : new Date(Date.now() + left).toISOString(),
  };
  await show(<TaskProgress run={buildRun(RECORDS)} task={task} />);
  const bar = await screen.findByRole('list', { name: 'Plays' });
  return [...bar.children].map((item) => Math.round(Number((item as HTMLElement).style.flexGrow)));
};

it('the bar of a running task leaves as much free as its expected end leaves time', async () => {
  expect(await lengths(60_000)).toEqual([2, 2]);
});

it('the bar of a running task without an expected end leaves nothing free', async () => {
  expect(await lengths(null)).toEqual([2]);
});

it('a play counts its failed and its unreachable hosts apart', async () => {
  answerCalls(() => ({ status: 200, body: [] }));
  const result = (host: string, of: 'failed' | 'unreachable', step: number): ResultRecord => ({
    ...{ kind: 'host', at, line: 4, step, host, result: of, message: '' },
  });
  const second: ResultRecord[] = [
    { kind: 'play', at, line: 5, play: 2, name: 'Deploy', hosts: 3 },
    { ...step, play: 2, line: 6, step: 3, name: 'Restart' },
  ];
  const bad = [result('web-1', 'unreachable', 3), result('web-2', 'failed', 3), result('web-3', 'failed', 3)];
  const run = buildRun([...RECORDS, result('db-1', 'unreachable', 1), ...second, ...bad]);
  await show(<TaskProgress run={run} task={sampleTask({ status: 'error' })} />);
  const bar = await screen.findByRole('list', { name: 'Plays' });
  expect([...bar.querySelectorAll('small')].map(({ textContent }) => textContent)).toEqual([
    '1 unreachable',
    '2 failed hosts, 1 unreachable',
  ]);
});
