import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { sampleTask, sampleTemplate } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { Details } from './details.tsx';

const ORIGINS = {
  ...{ runner_id: 2, runner_name: 'rack-1', schedule_id: 3, schedule_name: 'Nightly' },
  ...{ webhook_id: 4, webhook_name: 'Push' },
};

const OBJECTS: Readonly<Record<string, readonly object[]>> = {
  inventory: [{ id: 5, name: 'Production' }],
  environment: [{ id: 6, name: 'Proxy' }],
  repositories: [{ id: 7, name: 'Site', git_url: 'git@github.com:acme/site.git' }],
};

const showDetails = async (admin: boolean, permissions: number, change = {}) => {
  answerCalls(({ path }) => {
    const objects = OBJECTS[path.split('/').at(-1) ?? ''];
    if (objects) return { status: 200, body: objects };
    if (path.endsWith('/templates/1'))
      return { status: 200, body: sampleTemplate({ id: 1, repository_id: 7, arguments: '["--flush-cache"]' }) };
    if (path.endsWith('/role')) return { status: 200, body: { role: 'x', permissions } };
    return { status: 200, body: { admin } };
  });
  await show(<Details task={sampleTask({ ...ORIGINS, ...change })} />);
};

it('the details of a task link to its runner, its schedule and its webhook', async () => {
  await showDetails(true, 15);
  expect((await screen.findByRole('link', { name: 'rack-1' })).getAttribute('href')).toBe('/runners/2');
  expect((await screen.findByRole('link', { name: 'Nightly' })).getAttribute('href')).toBe(
    '/project/1/schedules?edit=3',
  );
  expect(screen.getByRole('link', { name: 'Push' }).getAttribute('href')).toBe('/project/1/webhooks/4');
});

it('the details of a task link to its template, inventory, environment, repository and commit, and show how long it waited', async () => {
  const change = { template_id: 1, tpl_alias: 'Deploy', inventory_id: 5, environment_id: 6, commit_hash: 'abcdef' };
  await showDetails(true, 15, { ...change, created: '2026-11-21T10:00:00Z', start: '2026-11-21T10:01:05Z' });
  const href = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await href('Deploy')).toBe('/project/1/templates/1');
  expect(await href('Production')).toBe('/project/1/inventory?edit=5');
  expect(await href('Proxy')).toBe('/project/1/environment?edit=6');
  expect(await href('Site')).toBe('/project/1/repositories?edit=7');
  expect(await href('abcdef')).toBe('https://github.com/acme/site/commit/abcdef');
  expect(screen.getByText('Time in the queue').nextSibling?.textContent).toBe('1:05');
});

it('the details of a task name a runner and a schedule that were deleted', async () => {
  await showDetails(true, 15, { runner_id: null, schedule_id: null, webhook_id: null });
  expect(screen.getByText('rack-1')).toBeTruthy();
  expect(screen.getByText('Nightly')).toBeTruthy();
  expect(screen.getByText('Push')).toBeTruthy();
  for (const name of ['rack-1', 'Nightly', 'Push']) expect(screen.queryByRole('link', { name })).toBeNull();
});

it('the details of a task name the token with which its user started it', async () => {
  await showDetails(true, 15, { user_name: 'Ana', token_name: 'CI' });
  expect(await screen.findByText('Ana, token CI')).toBeTruthy();
});

it('the details of a task are shown as YAML with what is set, and as the command line with the arguments of its run', async () => {
  await showDetails(true, 15, {
    ...{
      tpl_alias: 'Deploy',
      tpl_playbook: 'site.yml',
      inventory_id: 5,
      environment_id: 6,
      limit: 'web-*',
      dry_run: true,
    },
    ...{
      arguments: '["--become"]',
      tpl_arguments: '["--flush-cache"]',
      ...{ tags: ['web'], verbosity: 2 },
      environment: '{"port":80,"login":"no","day":"2026-11-28"}',
    },
  });
  const user = userEvent.setup();
  await user.click(screen.getByRole('radio', { name: 'YAML' }));
  const yaml = await screen.findByText(/^id: /);
  expect(parse(yaml.textContent, { version: '1.1' })).toMatchObject({
    ...{ template: 'Deploy', playbook: 'site.yml', inventory: 'Production', repository: 'Site', limit: 'web-*' },
    ...{
      dry_run: true,
      arguments: ['--flush-cache', '--become'],
      answers: { port: 80, login: 'no', day: '2026-11-28' },
    },
  });
  for (const unset of ['diff', 'skip_tags', 'forks', 'freeze_window'])
    expect(yaml.textContent).not.toContain(`${unset}:`);
  await user.click(screen.getByRole('radio', { name: 'Command line' }));
  expect(
    screen.getByText("ansible-playbook site.yml --check '--limit=web-*' --flush-cache --tags=web -vv --become"),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toContain('ansible-playbook site.yml');
});

it('the fields and the command line of a waiting task have the arguments of its template today', async () => {
  await showDetails(true, 15, { template_id: 1, status: 'waiting', tpl_playbook: 'site.yml' });
  expect(await screen.findByText(/"--flush-cache"/)).toBeTruthy();
  await userEvent.setup().click(screen.getByRole('radio', { name: 'Command line' }));
  expect(await screen.findByText('ansible-playbook site.yml --flush-cache')).toBeTruthy();
});
