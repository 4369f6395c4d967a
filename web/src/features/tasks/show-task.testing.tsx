import type { FailureCluster, QueuedTask, ResultRecord, Task } from '@signalbox/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { NO_COMPARISON, sampleTask, sampleTemplate } from '../../testing/sample.ts';
import { show, testSocket } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { TaskView, type TaskViewProps } from './task-view.tsx';

interface Options {
  task?: Partial<QueuedTask>;
  lines?: string[];
  records?: ResultRecord[];
  clusters?: FailureCluster[];
  permissions?: number;
  /** Number of connected runners. */
  runners?: number;
  /** Whether the user is an administrator. */
  admin?: boolean;
  /** Earlier tasks of the template. */
  earlier?: Task[];
  props?: Partial<TaskViewProps>;
}

/** Renders a task with the responses of a test server. */
export const showTask = async ({
  task = {},
  lines = [],
  records = [],
  clusters = [],
  permissions = 1,
  earlier = [],
  runners = 1,
  admin = false,
  props = {},
}: Options = {}) => {
  const server = { task: sampleTask({ id: 5, ...task }), lines, records };
  const calls = answerCalls(({ method, path, query }) => {
    if (method === 'POST') return { status: 204 };
    if (path.endsWith('/info'))
      return { status: 200, body: { runners, apps: [{ name: 'ansible', version: '2.14.18' }] } };
    if (path.endsWith('/api/user')) return { status: 200, body: { id: 1, name: 'Mara', admin } };
    if (path.endsWith('/role')) return { status: 200, body: { role: 'x', permissions } };
    if (path.endsWith('/tasks/5')) return { status: 200, body: server.task };
    if (path.endsWith('/templates/1')) return { status: 200, body: sampleTemplate() };
    if (path.endsWith('/lines')) {
      const first = Number(query.get('from') ?? 1);
      const answer = server.lines.slice(first - 1).map((text, at) => [first + at, text]);
      return {
        status: 200,
        body: { first, total: server.lines.length, sealed: false, missing: 0, lines: answer },
      };
    }
    if (path.endsWith('/lines/search')) {
      const text = query.get('text') ?? '';
      const found = server.lines.flatMap((line, at) => (line.includes(text) ? [at + 1] : []));
      return { status: 200, body: { lines: found, next: server.lines.length + 1, total: server.lines.length } };
    }
    if (path.endsWith('/tasks/5/failures'))
      return { status: 200, body: { first: 1, total: clusters.length, hosts: clusters.length, clusters } };
    if (path.endsWith('/comparison')) return { status: 200, body: NO_COMPARISON };
    if (path.endsWith('/results')) {
      const first = Number(query.get('from') ?? 1);
      return { status: 200, body: { first, total: server.records.length, records: server.records.slice(first - 1) } };
    }
    if (path.includes('/templates/1/tasks')) return { status: 200, body: earlier };
    return { status: 200, body: [] };
  });
  const addresses: unknown[] = [];
  const again: unknown[] = [];
  const live = testSocket();
  await show(
    <TaskView
      project={1}
      task={5}
      heading="h1"
      onUrlState={(address) => addresses.push(address)}
      onRunAgain={(...asked) => again.push(asked)}
      {...props}
    />,
    { live },
  );
  await screen.findByRole('heading', { name: /Ping Site/ });
  return { server, calls, addresses, again, live, user: userEvent.setup() };
};
