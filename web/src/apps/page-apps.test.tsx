import { APPS } from 'virtual:routes';
import type { AppName, QueuedTask, Template } from '@signalbox/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { NewTaskDialog } from '../features/launch/new-task-dialog.tsx';
import { TaskView } from '../features/tasks/task-view.tsx';
import { TemplateFormDialog } from '../features/templates/form/template-form-dialog.tsx';
import { APPS_WITH_PRINT } from '../testing/print-app/print-page.ts';
import { NO_COMPARISON, sampleTask, sampleTemplate } from '../testing/sample.ts';
import { show } from '../testing/show.tsx';
import { answerCalls } from '../testing/test-fetch.ts';
import { PAGE_APPS, PageAppsContext } from './page-apps.ts';

/** The page as it is built knows only the apps of the contract. */
const PRINT = 'print' as AppName;
const NONE = () => undefined;

const showWithPrint = async (
  content: ReactNode,
  change: { template?: Partial<Template>; task?: Partial<QueuedTask> } = {},
) => {
  const template = sampleTemplate({ app: PRINT, inventory_id: null, playbook: 'README.md', ...change.template });
  const task = sampleTask({ app: PRINT, tpl_playbook: 'README.md', ...change.task });
  const calls = answerCalls(({ method, path }) => {
    if (method !== 'GET') return { status: 201, body: { id: 12 } };
    if (path.endsWith('/info')) return { status: 200, body: { runners: 1, apps: [{ name: 'ansible', version: '2' }] } };
    if (path.endsWith('/role')) return { status: 200, body: { role: 'x', permissions: 15 } };
    if (path.endsWith('/templates/1')) return { status: 200, body: template };
    if (path.endsWith('/tasks/1')) return { status: 200, body: task };
    if (path.endsWith('/lines'))
      return { status: 200, body: { first: 1, total: 0, sealed: true, missing: 0, lines: [] } };
    if (path.endsWith('/comparison')) return { status: 200, body: NO_COMPARISON };
    if (path.endsWith('/results')) return { status: 200, body: { first: 1, total: 0, records: [] } };
    if (path.endsWith('/environment')) return { status: 200, body: [{ id: 1, name: 'Production' }] };
    if (path.endsWith('/repositories')) return { status: 200, body: [{ id: 1, name: 'Plays' }] };
    return { status: 200, body: [] };
  });
  await show(<PageAppsContext value={APPS_WITH_PRINT}>{content}</PageAppsContext>);
  return calls;
};

describe('the apps of the page', () => {
  it('are the apps of the contract', () => {
    expect(Object.keys(PAGE_APPS)).toEqual(Object.keys(APPS));
  });

  it('decide which options the form of a new task has, and what its summary shows', async () => {
    await showWithPrint(<NewTaskDialog project={1} template={1} again={undefined} onClose={NONE} onStarted={NONE} />);
    expect(await screen.findByLabelText('Message')).toBeTruthy();
    expect(screen.getAllByText('README.md')).not.toEqual([]);
    for (const label of ['Limit', 'Dry run', 'Diff', 'Arguments']) expect(screen.queryByLabelText(label)).toBeNull();
    expect(screen.queryByText('Inventory')).toBeNull();
    expect(screen.queryByRole('button', { name: /dry run/i })).toBeNull();
  });

  it('decide which fields a template has', async () => {
    const calls = await showWithPrint(
      <TemplateFormDialog project={1} template={1} view={undefined} focus={undefined} onClose={NONE} onSaved={NONE} />,
    );
    const user = userEvent.setup();
    expect(await screen.findByDisplayValue('README.md')).toBeTruthy();
    expect(screen.queryByLabelText('Inventory')).toBeNull();
    expect(screen.queryByLabelText(/vault/i)).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Ansible' }));
    expect(await screen.findAllByLabelText('Inventory')).not.toEqual([]);
    await user.click(screen.getByRole('radio', { name: 'Print' }));
    await user.click(screen.getByRole('button', { name: 'Save template' }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ app: 'print', inventory_id: null }),
    );
  });

  it('decide which tabs a task has, and name the app that no runner has', async () => {
    await showWithPrint(<TaskView project={1} task={1} heading="h1" onUrlState={NONE} onRunAgain={NONE} />, {
      task: { status: 'waiting', waiting_reason: { code: 'no_runner_with_app', params: { app: 'print' } } },
    });
    expect(await screen.findByRole('tab', { name: 'Log' })).toBeTruthy();
    expect(screen.queryByRole('tab', { name: /Hosts/ })).toBeNull();
    expect(await screen.findByText('No connected runner has Print: the task waits for one.')).toBeTruthy();
  });
});
