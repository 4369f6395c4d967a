import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { sampleTemplate } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { PlaybooksPage } from './playbooks-page.tsx';

const ALL = 0xffff;

const SCAN = {
  playbooks: [
    { path: 'patch.yml', plays: ['Patch all hosts'] },
    { path: 'reboot.yml', plays: [] },
    { path: 'site.yml', plays: ['Web', 'Database'] },
  ],
  ...{ inventories: ['hosts.ini'], requirements: [], complete: true },
};

const showPage = async (change: Readonly<Record<string, unknown>> = {}, permissions = ALL, refused = '') => {
  let id = 20;
  const answers: Record<string, unknown> = {
    '/api/project/1/repositories': [
      { id: 7, project_id: 1, name: 'plays', git_url: '/x', git_branch: '', ssh_key_id: 4 },
    ],
    '/api/project/1/repositories/7/playbooks': SCAN,
    '/api/project/1/templates': [sampleTemplate({ id: 3, name: 'Everything', repository_id: 7, playbook: 'site.yml' })],
    '/api/project/1/role': { role: 'manager', permissions, templates: [] },
    '/api/project/1/keys': [{ id: 4, project_id: 1, name: 'deploy', type: 'ssh' }],
    ...change,
  };
  const calls = answerCalls(({ method, path, body }) => {
    if (method === 'GET') return { status: 200, body: answers[path] ?? [] };
    if ((body as { name?: string }).name === refused)
      return { status: 409, body: { error: 'Full.', code: 'conflict' } };
    id += 1;
    return { status: 201, body: { id } };
  });
  const onCreated = vi.fn();
  await show(<PlaybooksPage project={1} repository={7} onCreated={onCreated} />);
  return { calls, onCreated, user: userEvent.setup() };
};

const created = (calls: Awaited<ReturnType<typeof showPage>>['calls'], kind: string) =>
  calls.filter(({ method, path }) => method === 'POST' && path === `/api/project/1/${kind}`).map(({ body }) => body);

const choose = async (user: ReturnType<typeof userEvent.setup>, select: string, option: string) => {
  await user.click(screen.getByRole('combobox', { name: select }));
  await user.click(await screen.findByRole('option', { name: option }));
};

it('the chosen playbooks become templates, and a file of the repository their inventory', async () => {
  const { calls, onCreated, user } = await showPage();
  expect(await screen.findByText('Web, Database')).toBeTruthy();
  const used = screen.getByRole('checkbox', { name: 'site.yml' }) as HTMLInputElement;
  expect(used.checked).toBe(false);
  expect(screen.getByRole('link', { name: 'Everything' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Create 2 templates' }));
  expect(screen.getByText('Inventory is required')).toBeTruthy();
  await choose(user, 'Inventory', 'hosts.ini, a file in the repository');
  await choose(user, 'User credentials', 'deploy');
  await user.type(screen.getByRole('textbox', { name: 'Name of the template for reboot.yml' }), ' all');
  await user.click(screen.getByRole('button', { name: 'Create 2 templates' }));
  await waitFor(() => expect(onCreated).toHaveBeenCalledWith([22, 23]));
  expect(created(calls, 'inventory')).toEqual([
    { name: 'hosts.ini', type: 'file', inventory: 'hosts.ini', ssh_key_id: 4 },
  ]);
  const target = { app: 'ansible', repository_id: 7, inventory_id: 21, environment_id: null };
  expect(created(calls, 'templates')).toEqual([
    { name: 'Patch all hosts', playbook: 'patch.yml', ...target },
    { name: 'Reboot all', playbook: 'reboot.yml', ...target },
  ]);
});

it('a playbook that could not become a template keeps its reason, and the next attempt uses the same inventory', async () => {
  const { calls, onCreated, user } = await showPage({}, ALL, 'Reboot');
  await screen.findByRole('checkbox', { name: 'reboot.yml' });
  await choose(user, 'Inventory', 'hosts.ini, a file in the repository');
  await choose(user, 'User credentials', 'deploy');
  await user.click(screen.getByRole('button', { name: 'Create 2 templates' }));
  expect(await screen.findByText(/^1 template was not created/)).toBeTruthy();
  const row = screen.getByRole('checkbox', { name: 'reboot.yml' }).closest('li') as HTMLElement;
  expect(within(row).getByText('Full.')).toBeTruthy();
  expect(onCreated).not.toHaveBeenCalled();
  expect((screen.getByRole('checkbox', { name: 'patch.yml' }) as HTMLInputElement).checked).toBe(false);
  await user.type(screen.getByRole('textbox', { name: 'Name of the template for reboot.yml' }), ' all');
  await user.click(screen.getByRole('button', { name: 'Create 1 template' }));
  await waitFor(() => expect(onCreated).toHaveBeenCalledWith([23]));
  expect(created(calls, 'inventory')).toHaveLength(1);
});

it('users who may not create templates see the playbooks only', async () => {
  await showPage({}, 0);
  expect(await screen.findByText('patch.yml')).toBeTruthy();
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

it('a repository without playbooks, or that does not exist, is named', async () => {
  await showPage({ '/api/project/1/repositories/7/playbooks': { ...SCAN, playbooks: [], complete: false } });
  expect(await screen.findByRole('heading', { name: 'No playbooks found' })).toBeTruthy();
});

it('a repository that does not exist is not scanned', async () => {
  const { calls } = await showPage({ '/api/project/1/repositories': [] });
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
  expect(calls.filter(({ path }) => path.endsWith('/playbooks'))).toEqual([]);
});
