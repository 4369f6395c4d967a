import type { ResultRecord, Task } from '@signalbox/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { sampleTask } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { buildRun } from './results/run-model.ts';
import { RunningStep } from './running-step.tsx';
import { SilentHosts } from './silent-hosts.tsx';

const at = Date.now() - 60_000;
const since = new Date(at).toISOString();
const RECORDS: ResultRecord[] = [
  { kind: 'play', at, line: 1, play: 1, name: 'Site', hosts: 1 },
  { kind: 'step', at, line: 7, step: 1, play: 1, name: 'Copy files', action: 'copy', handler: false },
];
const running = (change: Partial<Task>) => sampleTask({ status: 'running', start: since, end: null, ...change });

it('the running step shows its usual time and the part that has passed, and leads to its lines', async () => {
  const lines: number[] = [];
  const onLine = (line: number) => lines.push(line);
  const task = running({ running_step: { step: 1, name: 'Wait', since, usual_ms: 120_000 } });
  await show(<RunningStep run={buildRun(RECORDS)} task={task} onLine={onLine} />);
  expect(screen.getByText(/^1:0\d of 2:00 that this step usually takes, 5\d%$/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Copy files' }));
  expect(lines).toEqual([7]);
});

it('a step without a usual time, and a task that has ended, show none', async () => {
  const step = { step: 1, name: 'Wait', since, usual_ms: 120_000 };
  const { container } = await show(
    <>
      <RunningStep run={buildRun(RECORDS)} task={running({})} onLine={() => undefined} />
      <RunningStep
        run={buildRun(RECORDS)}
        task={running({ running_step: step, end: since })}
        onLine={() => undefined}
      />
    </>,
  );
  expect(container.textContent).not.toContain('usually');
});

it('silent hosts are named with the step, the time, what is usual, and the way to their lines', async () => {
  const lines: number[] = [];
  const silent = { step: 1, name: 'Copy files', line: 7, since, usual_ms: 4_000, hosts: ['web-1'], total: 1 };
  const hosts = ['web-1', 'web-2', 'web-3', 'web-4', 'web-5', 'web-6'];
  await show(
    <>
      <SilentHosts task={running({ silent_hosts: silent })} onLine={(line) => lines.push(line)} />
      <SilentHosts task={running({ silent_hosts: { ...silent, line: 0, hosts, total: 9 } })} onLine={() => undefined} />
    </>,
  );
  expect(screen.getByText(/^web-1 has not answered in “Copy files” for 1:0\d\.$/)).toBeTruthy();
  expect(screen.getAllByText(/95% of hosts usually end this step within 0:04\./)).toHaveLength(2);
  expect(screen.getByText(/^web-1, web-2, web-3, web-4, web-5 and 4 more have not answered/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Open log at line 7' }));
  expect(lines).toEqual([7]);
});
