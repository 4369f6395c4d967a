import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task, Template } from '@signalbox/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { queryKey } from '../../api/keys.ts';
import { sampleTask, sampleTemplate } from '../../testing/sample.ts';
import { show, testSocket } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import { TEMPLATE_COLUMNS } from './template-list.ts';
import { DENSE_WIDTH, TemplatesPage } from './templates-page.tsx';
import type { TemplatesState } from './templates-state.ts';

const TASK = sampleTask({
  id: 8,
  status: 'running',
  end: null,
  template_id: 2,
  version: '1.0.1',
  message: 'hello there',
});
const TEMPLATES = [
  sampleTemplate({ id: 1, name: 'Apply rules', view_id: 3 }),
  sampleTemplate({ id: 2, name: 'Build site', type: 'build', last_task: TASK, last_task_id: 8 }),
];
const VIEWS = [{ id: 3, project_id: 1, title: 'Maintenance', position: 0 }];

interface Options {
  templates?: Template[];
  tasks?: Task[];
  view?: number;
  start?: TemplatesState;
  permissions?: number;
  /** Whether calls fail from now on. */
  isBroken?: () => boolean;
}

const showTemplates = async ({
  templates = TEMPLATES,
  tasks = [TASK],
  view,
  start = {},
  permissions = 1,
  isBroken = () => false,
}: Options = {}) => {
  const answers: Record<string, unknown> = {
    '/api/project/1/templates': templates,
    '/api/project/1/views': VIEWS,
    '/api/project/1/inventory': [{ id: 1, name: 'Frankfurt' }],
    '/api/project/1/tasks': tasks,
    '/api/project/1/tasks/outcomes': [{ template_id: 1, tasks: [{ id: 3, status: 'error', start: null, end: null }] }],
    '/api/project/1/templates/2/tasks/last': [TASK],
    '/api/project/1/tasks/9': sampleTask({ id: 9, template_id: 1, status: 'waiting', start: null, end: null }),
    '/api/project/1/launches': [{ template_id: 1, launches: 2 }],
    '/api/project/1/role': { role: 'task_runner', permissions, templates: [] },
    '/api/user': { name: 'Mara', can_create_project: true },
  };
  const calls = answerCalls(({ path }) =>
    isBroken() ? { status: 500, body: { error: 'Out of order.' } } : { status: 200, body: answers[path] ?? [] },
  );
  const live = testSocket();
  const addresses: TemplatesState[] = [];
  const shown = await show(
    <TestState start={start} onChange={(state) => addresses.push(state)}>
      {(state, onState) => <TemplatesPage project={1} view={view} state={state} onState={onState} RunMenu={Menu} />}
    </TestState>,
    { live },
  );
  return { ...shown, addresses, calls, live, user: userEvent.setup() };
};

/** Stands for the menu of saved launches. */
const Menu = ({ template }: { template: Template }) => <button type="button">{`Launches of ${template.name}`}</button>;

const row = (name: string) => screen.getByRole('link', { name }).closest('tr') as HTMLElement;

describe('the template list', () => {
  it('has the menu of saved launches only in rows of templates that have some', async () => {
    await showTemplates();
    await screen.findByRole('button', { name: /^Launches of/ });
    const menus = screen.getAllByRole('button', { name: /^Launches of/ }).map(({ textContent }) => textContent);
    expect(menus).toEqual([`Launches of ${TEMPLATES.find(({ id }) => id === 1)?.name}`]);
  });

  it('has no run buttons for guests', async () => {
    const { client } = await showTemplates({ permissions: 0 });
    await screen.findByRole('link', { name: 'Build site' });
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(screen.queryByRole('link', { name: /^Run |^Build Build/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Launches of/ })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('hides columns that are a dash in every row, and shows a lock for restricted templates', async () => {
    const templates = [
      sampleTemplate({ id: 1, name: 'Apply rules', last_task: null, inventory_id: null, restricted: true }),
      sampleTemplate({ id: 2, name: 'Build site', last_task: null, inventory_id: null }),
    ];
    await showTemplates({ templates });
    await screen.findByRole('link', { name: 'Build site' });
    const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(heads).toEqual(['Name', 'Status', 'Playbook', 'Environment', 'Repository', 'Actions']);
    expect(within(row('Apply rules')).getByText('Restricted')).toBeTruthy();
    expect(within(row('Build site')).queryByText('Restricted')).toBeNull();
  });

  it('has the column widths of its style sheet, and cells of two lines when they do not fit into 1280 pixels', async () => {
    const { user } = await showTemplates();
    await screen.findByRole('link', { name: 'Build site' });
    const css = readFileSync(join(import.meta.dirname, 'templates.module.css'), 'utf8');
    const width = (column: string) => Number(new RegExp(`\\.${column}[^{}]*\\{[^}]*?width: (\\d+)px`).exec(css)?.[1]);
    const sum = (names: readonly string[]) => names.reduce((all, name) => all + width(name), 0);
    const table = () => screen.getByRole('table', { hidden: true });
    const needed = () => Number.parseInt(table().style.getPropertyValue('--width'), 10);
    expect(needed() - sum([...TEMPLATE_COLUMNS, 'run'])).toBe(264);
    const [drawer, margins] = [260, 64];
    const available = 1280 - drawer - margins;
    expect(DENSE_WIDTH).toBe(available);
    expect(table().style.getPropertyValue('--dense-width')).toBe(`${available}px`);
    expect(css).toContain('min-width: min(var(--dense-width), var(--width))');
    expect(needed()).toBeGreaterThan(available);
    expect(table().className).toContain('dense');
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Columns' }));
    for (const name of ['Playbook', 'Inventory', 'Environment', 'Repository', 'Version'])
      await user.click(sheet.getByRole('checkbox', { name }));
    await waitFor(() => expect(needed()).toBeLessThanOrEqual(available));
    expect(table().className).not.toContain('dense');
    for (const name of ['Playbook', 'Inventory', 'Environment', 'Repository', 'Version'])
      await user.click(sheet.getByRole('checkbox', { name }));
  });

  it('keeps loaded rows and their last tasks when a refetch fails', async () => {
    let isBroken = false;
    const { client, user } = await showTemplates({ isBroken: () => isBroken });
    await screen.findByRole('link', { name: 'Build site' });
    await user.click(screen.getByRole('button', { name: 'Last tasks of Build site' }));
    await screen.findByText('hello there');
    isBroken = true;
    await act(() => client.invalidateQueries());
    expect(client.getQueryState(queryKey.templateTasks(1, 2, 5))?.status).toBe('error');
    expect(screen.getByText('hello there')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Apply rules' })).toBeTruthy();
  });

  it('shows each template with its last task and its action', async () => {
    await showTemplates();
    await screen.findByRole('link', { name: 'Build site' });
    expect(within(row('Build site')).getByText('Running')).toBeTruthy();
    expect(within(row('Build site')).getByText('#8')).toBeTruthy();
    expect(within(row('Build site')).getByRole('link', { name: 'Build Build site' })).toBeTruthy();
    expect(within(row('Apply rules')).getByText('Not launched')).toBeTruthy();
    expect(within(row('Apply rules')).getByRole('link', { name: 'Run Apply rules' })).toBeTruthy();
    expect(within(row('Apply rules')).getByText('Frankfurt')).toBeTruthy();
    expect(screen.getByText('1 running')).toBeTruthy();
  });

  it('shows the newest outcomes of a template even when newer tasks of other templates fill the list', async () => {
    await showTemplates();
    await screen.findByRole('link', { name: 'Build site' });
    const strip = await within(row('Apply rules')).findByRole('img');
    expect(strip.getAttribute('aria-label')).toBe('Last ten tasks: 0 succeeded, 1 failed, 0 stopped');
  });

  it('finds templates by their status label, and filters by a chip that counts them', async () => {
    const { user, addresses } = await showTemplates();
    await screen.findByRole('link', { name: 'Build site' });
    const chips = within(screen.getByRole('group', { name: 'Status' }));
    expect(chips.getAllByRole('button').map((chip) => chip.textContent)).toEqual(['Running1', 'Not launched1']);
    await user.click(chips.getByRole('button', { name: /Not launched/ }));
    expect(addresses.at(-1)).toMatchObject({ status: 'none' });
    expect(screen.queryByRole('link', { name: 'Build site' })).toBeNull();
    await user.click(chips.getByRole('button', { name: /Not launched/ }));
    await user.type(screen.getByRole('searchbox'), 'not launched');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Build site' })).toBeNull());
    expect(screen.getByRole('link', { name: 'Apply rules' })).toBeTruthy();
  });

  it('opens the new task dialog of the URL', async () => {
    const { router, user } = await showTemplates();
    await user.click(await screen.findByRole('link', { name: 'Run Apply rules' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ run: 1 }));
  });

  it('opens the task of the URL', async () => {
    const { router, user } = await showTemplates();
    await user.click(await screen.findByRole('link', { name: '#8' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ t: 8 }));
  });

  it('is filtered while the user types', async () => {
    const { user } = await showTemplates();
    await screen.findByRole('link', { name: 'Build site' });
    await user.keyboard('/');
    await user.keyboard('rules');
    expect(screen.queryByRole('link', { name: 'Build site' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Apply rules' })).toBeTruthy();
    await user.keyboard('xxx');
    expect(screen.getByText('No templates match')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(screen.getByRole('link', { name: 'Build site' })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  });

  it('is sorted by a click on a column heading', async () => {
    const { user } = await showTemplates();
    await screen.findByRole('link', { name: 'Build site' });
    const order = () =>
      screen.getAllByRole('link', { name: /^(Build site|Apply rules)$/ }).map((link) => link.textContent);
    expect(order()).toEqual(['Apply rules', 'Build site']);
    await user.click(screen.getByRole('button', { name: 'Name' }));
    expect(order()).toEqual(['Build site', 'Apply rules']);
  });

  it('expands a row to its last five tasks', async () => {
    const { calls, user } = await showTemplates();
    await user.click(await screen.findByRole('button', { name: 'Last tasks of Build site' }));
    expect(await screen.findByText('hello there')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Run again #8' })).toBeTruthy();
    const asked = calls.find(({ path }) => path.endsWith('/templates/2/tasks/last'));
    expect(asked?.query.get('limit')).toBe('5');
  });

  it('hides columns, and remembers them', async () => {
    const { user } = await showTemplates();
    await screen.findByRole('link', { name: 'Build site' });
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(await screen.findByLabelText('Playbook'));
    expect(screen.queryByRole('button', { name: 'Playbook' })).toBeNull();
    expect(localStorage.getItem('project_1_templates_columns')).toBe('["playbook"]');
  });

  it('shows the templates of a view only', async () => {
    await showTemplates({ view: 3 });
    await screen.findByRole('link', { name: 'Apply rules' });
    expect(screen.queryByRole('link', { name: 'Build site' })).toBeNull();
    expect(screen.getByRole('link', { name: /Maintenance/ }).textContent).toBe('Maintenance 1');
  });

  it('is updated by live messages', async () => {
    const { live } = await showTemplates();
    await screen.findByRole('link', { name: 'Build site' });
    act(() => live.accept());
    const update = { type: 'update', project_id: 1, start: TASK.start, version: null };
    act(() => live.send({ ...update, task_id: 8, template_id: 2, status: 'success', end: '2026-11-21T10:09:00.000Z' }));
    expect(await within(row('Build site')).findByText('Success')).toBeTruthy();
    act(() => live.send({ ...update, task_id: 9, template_id: 1, status: 'waiting', start: null, end: null }));
    expect(await within(row('Apply rules')).findByText('Waiting')).toBeTruthy();
    expect(within(row('Apply rules')).getByText('#9')).toBeTruthy();
  });

  it('shows the steps to the first run without templates', async () => {
    await showTemplates({ templates: [], tasks: [] });
    expect(await screen.findByRole('list', { name: 'Steps to the first run' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Create the demo project' })).toBeTruthy();
  });

  it('reads its state from the URL, and writes every change to the URL', async () => {
    const { user, addresses } = await showTemplates({ start: { sort: '-name' } });
    await screen.findByRole('link', { name: 'Build site' });
    const names = () =>
      screen.getAllByRole('link', { name: /^(Apply rules|Build site)$/ }).map((link) => link.textContent);
    expect(names()).toEqual(['Build site', 'Apply rules']);
    await user.click(screen.getByRole('button', { name: 'Name' }));
    expect(names()).toEqual(['Apply rules', 'Build site']);
    expect(addresses.at(-1)?.sort).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'Last task' }));
    expect(addresses.at(-1)?.sort).toBe('-last_task');
    await user.type(screen.getByRole('searchbox'), 'b');
    expect(addresses.at(-1)?.q).toBe('b');
  });

  it('shows that a view was not found, and links to all templates', async () => {
    await showTemplates({ view: 99 });
    expect(await screen.findByText('View not found')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to all templates' }).getAttribute('href')).toBe('/project/1/templates');
    expect(screen.queryByRole('table')).toBeNull();
  });
});
