import type { Task } from '@signalbox/contract';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sampleTask } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { emptyKey } from '../matrix/chosen-cell.ts';
import { AwaitedResults, isBeforeRun } from './awaited-results.tsx';

const RUNNING = sampleTask({ status: 'running', end: null });

describe('a tab of a run without results', () => {
  it('shows what will be there, and what is awaited', async () => {
    await show(<AwaitedResults task={RUNNING} text="Hosts appear here." />);
    expect(screen.getByText('No host has reported a result so far. Hosts appear here.')).toBeTruthy();
    expect([isBeforeRun(RUNNING), isBeforeRun({ ...RUNNING, status: 'waiting' })]).toEqual([false, true]);
  });

  it('does not announce results of a task that has ended', async () => {
    await show(<AwaitedResults task={{ ...RUNNING, end: '2026-11-21T10:00:00.000Z' }} text="Hosts appear here." />);
    expect(screen.getByText('The task ended before a host had a result.')).toBeTruthy();
  });

  it('names what failed before a host had a result, and what to do', async () => {
    const params = { path: 'site.yml' };
    const text = 'The playbook site.yml does not exist.';
    const end_reason = { code: 'playbook.missing', params, text } as unknown as Task['end_reason'];
    const ended = { ...RUNNING, status: 'error', end: '2026-11-21T10:00:00.000Z', end_reason } as Task;
    await show(<AwaitedResults task={ended} text="Hosts appear here." />);
    expect(screen.getByRole('heading').textContent).toContain('site.yml');
    expect(screen.getByText(/^The task ended before a host had a result\. .*template/i)).toBeTruthy();
  });
});

describe('an empty cell of the matrix', () => {
  it('did not run on the host, unless the step or the task has not ended', () => {
    expect([emptyKey({ end: undefined }, RUNNING), emptyKey({ end: 5 }, RUNNING)]).toEqual([
      'matrix.notAnswered',
      'matrix.notRun',
    ]);
  });
});
