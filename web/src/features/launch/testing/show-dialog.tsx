import type { FreezeWindow, Template } from '@signalbox/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sampleSchedule, sampleTask, sampleTemplate, sampleVariable } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls, type Given, type Made } from '../../../testing/test-fetch.ts';
import { NewTaskDialog } from '../new-task-dialog.tsx';

export const DEPLOY = sampleTemplate({
  id: 6,
  name: 'Deploy storefront',
  type: 'deploy',
  build_template_id: 4,
  survey_vars: [sampleVariable({ type: 'int', required: true })],
});
const SCHEDULE = sampleSchedule({
  id: 7,
  launch_values: { ...sampleSchedule().launch_values, message: 'By the clock', environment: '{"hosts":"8"}' },
});
const BUILDS = [sampleTask({ id: 42, version: '2.14.0', message: 'Raise' }), sampleTask({ id: 41, version: '2.13.0' })];

const INVENTORY = {
  hosts: ['web-1', 'web-2', 'api-1'],
  groups: [
    { name: 'web', hosts: ['web-1', 'web-2'] },
    { name: 'api', hosts: ['api-1'] },
  ],
};

interface Options {
  template?: Template;
  permissions?: number;
  again?: number;
  schedule?: number;
  limit?: string;
  start?: (made: Made) => Given;
  windows?: FreezeWindow[];
  /** What grants permit instead of the role. */
  granted?: object[];
}

/** Shows the dialog with the answers of a server. */
export const showDialog = async ({
  template = DEPLOY,
  permissions = 1,
  again,
  schedule,
  limit,
  start,
  windows = [],
  granted = [],
}: Options = {}) => {
  const calls = answerCalls((made) => {
    if (made.method === 'POST') return start?.(made) ?? { status: 201, body: sampleTask({ id: 99, template_id: 6 }) };
    if (made.path.endsWith('/role')) return { status: 200, body: { role: 'x', permissions, templates: granted } };
    if (made.path.endsWith('/templates/6')) return { status: 200, body: template };
    if (made.path.endsWith('/templates/4/tasks')) return { status: 200, body: BUILDS };
    if (made.path.endsWith('/schedules')) return { status: 200, body: [SCHEDULE] };
    if (made.path.endsWith('/freeze_windows')) return { status: 200, body: windows };
    if (made.path.endsWith('/tasks/77')) {
      return {
        status: 200,
        body: sampleTask({ id: 77, message: 'before', build_task_id: 41, environment: '{"hosts":"8"}', forks: 5 }),
      };
    }
    if (made.path.endsWith('/tasks/77/results/summary')) return { status: 200, body: { hosts: { total: 40 } } };
    if (made.path.endsWith('/templates/6/hosts')) return { status: 200, body: { last_task_id: null, hosts: [] } };
    if (made.path.endsWith('/inventory/1/hosts')) return { status: 200, body: INVENTORY };
    return { status: 200, body: [] };
  });
  const started: number[] = [];
  const closed: string[] = [];
  await show(
    <NewTaskDialog
      project={1}
      template={6}
      again={again}
      schedule={schedule}
      limit={limit}
      onClose={() => closed.push('closed')}
      onStarted={(task) => started.push(task)}
    />,
  );
  await screen.findByLabelText('Message');
  return {
    calls,
    started,
    closed,
    user: userEvent.setup(),
    posts: () => calls.filter(({ method }) => method === 'POST'),
  };
};
