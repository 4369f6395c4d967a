import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sampleFreezeWindow, sampleTemplate, sampleVariable } from '../../testing/sample.ts';
import { DEPLOY, showDialog } from './testing/show-dialog.tsx';

describe('the new task dialog', () => {
  it('offers the newest build, and its button names the version', async () => {
    await showDialog();
    expect(await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ })).toBeTruthy();
    expect(screen.getByRole('dialog', { name: /Deploy storefront/ })).toBeTruthy();
  });

  it('is titled as a new task, and offers only successful builds', async () => {
    const { calls } = await showDialog();
    expect(screen.getByRole('dialog', { name: 'Deploy storefront New task' })).toBeTruthy();
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/templates/4/tasks'))).toBe(true));
    expect(calls.find(({ path }) => path.endsWith('/templates/4/tasks'))?.query.get('status')).toBe('success');
  });

  it('names the hosts on which a task is retried, and counts them', async () => {
    const { posts, user } = await showDialog({ again: 77, limit: 'web-1,web-2' });
    expect(await screen.findByText('On 2 of 40 hosts of #77')).toBeTruthy();
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['web-1', 'web-2']);
    await user.click(await screen.findByRole('button', { name: /^Deploy 2\.13\.0/ }));
    await waitFor(() =>
      expect(posts()[0]?.body).toMatchObject({ limit: 'web-1,web-2', message: 'Retry of #77 on 2 hosts: before' }),
    );
  });

  it('closes at once while nothing was entered, and asks before it discards answers', async () => {
    const { closed, user } = await showDialog();
    await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(closed).toEqual(['closed']);
    await user.type(screen.getByLabelText('Message'), 'to Frankfurt');
    await user.keyboard('{Escape}');
    expect(screen.getByText('Your changes will be lost.')).toBeTruthy();
    expect(closed).toEqual(['closed']);
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(closed).toEqual(['closed', 'closed']);
  });

  it('starts a task with the answers', async () => {
    const { started, user, posts } = await showDialog();
    await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ });
    await user.type(screen.getByLabelText('Message'), 'to Frankfurt');
    await user.type(screen.getByLabelText('Hosts at once'), '8');
    await user.click(screen.getByRole('button', { name: 'Diff: without diff' }));
    await user.click(screen.getByRole('button', { name: /^Deploy 2\.14\.0/ }));
    await waitFor(() => expect(started).toEqual([99]));
    expect(posts()[0]?.body).toEqual({
      template_id: 6,
      build_task_id: 42,
      message: 'to Frankfurt',
      environment: '{"hosts":"8"}',
      arguments: '[]',
      limit: '',
      diff: true,
    });
  });

  it('asks for a variable only with the answers of its condition, and explains why it is shown', async () => {
    const survey_vars = [
      sampleVariable({
        ...{ name: 'strategy', title: 'Strategy', type: 'enum', required: true, group: 'Rollout' },
        values: [
          { name: 'Rolling', value: 'rolling' },
          { name: 'Canary', value: 'canary' },
        ],
        default_value: 'rolling',
      }),
      sampleVariable({
        ...{ name: 'first', title: 'Canary hosts', type: 'int', required: true, group: 'Rollout', min: 1, max: 8 },
        description: 'Those that start first',
        show_when: { variable: 'strategy', values: ['canary'] },
      }),
      sampleVariable({ name: 'regions', title: 'Regions', type: 'multiple', values: [{ name: '', value: 'fra' }] }),
      sampleVariable({ name: 'token', title: 'Token', type: 'secret' }),
    ];
    const { user, posts } = await showDialog({ template: { ...DEPLOY, survey_vars } });
    expect(screen.getByText('2 fields, 1 depends on another answer')).toBeTruthy();
    expect(screen.queryByLabelText('Canary hosts')).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Canary' }));
    expect(screen.getByText('Shown because “Strategy” is “Canary”')).toBeTruthy();
    expect(screen.getByText(/^Those that start first/).textContent).toBe(
      'Those that start first\nWhole number: 1 to 8.',
    );
    await user.click(await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ }));
    expect(screen.getByText('Canary hosts is required')).toBeTruthy();
    await user.type(screen.getByLabelText('Canary hosts'), '9{Enter}');
    expect(screen.getByText('Canary hosts must be at most 8')).toBeTruthy();
    expect(posts()).toEqual([]);
    await user.type(screen.getByLabelText('Canary hosts'), '{Backspace}2');
    await user.click(screen.getByRole('checkbox', { name: 'fra' }));
    expect(screen.getByLabelText<HTMLInputElement>(/^Token/).type).toBe('password');
    await user.type(screen.getByLabelText(/^Token/), ' hunter2{Enter}');
    await waitFor(() => expect(posts()).toHaveLength(1));
    const answers = { strategy: 'canary', first: '2', regions: ['fra'], token: ' hunter2' };
    expect(posts()[0]?.body).toMatchObject({ environment: JSON.stringify(answers) });
  });

  it('limits the hosts to groups and names that the user finds by typing', async () => {
    const { user, posts } = await showDialog();
    await user.type(screen.getByLabelText('Hosts at once'), '1');
    await user.click(await screen.findByRole('button', { name: 'Limit to hosts: all 3 hosts' }));
    const search = screen.getByRole('combobox', { name: 'Limit to hosts' });
    await user.type(search, 'we{Enter}');
    expect(await screen.findByRole('button', { name: 'Limit to hosts: 2 of 3 hosts' })).toBeTruthy();
    await user.type(search, '!web-2{Enter}');
    expect(await screen.findByRole('button', { name: 'Limit to hosts: 1 of 3 hosts' })).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ }));
    await waitFor(() => expect(posts()[0]?.body).toMatchObject({ limit: 'web:!web-2' }));
  });

  it('counts typed hosts also without Enter', async () => {
    const { user, posts } = await showDialog();
    await user.type(screen.getByLabelText('Hosts at once'), '1');
    await user.click(await screen.findByRole('button', { name: 'Limit to hosts: all 3 hosts' }));
    await user.type(screen.getByRole('combobox', { name: 'Limit to hosts' }), 'web-2');
    await user.click(screen.getByRole('button', { name: /^Deploy 2\.14\.0/ }));
    await waitFor(() => expect(posts()[0]?.body).toMatchObject({ limit: 'web-2' }));
  });

  it('pastes a list of hosts, removes the last term with Backspace, and selects all hosts again', async () => {
    const { user } = await showDialog();
    await user.click(await screen.findByRole('button', { name: 'Limit to hosts: all 3 hosts' }));
    await user.click(screen.getByRole('combobox', { name: 'Limit to hosts' }));
    await user.paste('web-1\nweb-2\n');
    expect(await screen.findByRole('button', { name: 'Limit to hosts: 2 of 3 hosts' })).toBeTruthy();
    await user.keyboard('{Backspace}');
    expect(await screen.findByRole('button', { name: 'Limit to hosts: 1 of 3 hosts' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^All/ }));
    expect(await screen.findByRole('button', { name: 'Limit to hosts: all 3 hosts' })).toBeTruthy();
  });

  it('closes an open option with Escape first, and the dialog with the next Escape', async () => {
    const { user, closed } = await showDialog();
    const hosts = await screen.findByRole('button', { name: 'Limit to hosts: all 3 hosts' });
    await user.click(hosts);
    const search = screen.getByRole('combobox', { name: 'Limit to hosts' });
    await user.type(search, 'we{Escape}');
    expect([search.isConnected, closed]).toEqual([true, []]);
    await user.keyboard('{Escape}');
    expect([search.isConnected, document.activeElement, closed]).toEqual([false, hosts, []]);
    await user.keyboard('{Enter}{Escape}');
    expect([hosts.getAttribute('aria-expanded'), closed]).toEqual(['false', []]);
    await user.keyboard('{Escape}');
    expect(closed).toEqual(['closed']);
  });

  it('has buttons only for options that the template permits to change', async () => {
    const template = {
      ...DEPLOY,
      options: { ...DEPLOY.options, limit: 'web', forks: 4 },
      prompts: { ...DEPLOY.prompts, limit: 'fixed', diff: 'fixed', max_duration: 'any' },
    } as const;
    const { user, posts } = await showDialog({ template });
    await user.type(screen.getByLabelText('Hosts at once'), '1');
    const hosts = await screen.findByText('2 of 3 hosts', { selector: 'b span' });
    expect(hosts.closest('p')?.textContent).toMatch(
      /branchon 2 of 3 hostsof –,4 hosts at once,with changes,with normal output,without a time limit$/,
    );
    expect(screen.queryByRole('button', { name: /^Limit to hosts|^Diff/ })).toBeNull();
    // An option that is off and can't be switched on needs no text.
    expect(screen.queryByText('without diff')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Time limit in minutes: without a time limit' }));
    await user.type(screen.getByLabelText('Time limit in minutes'), '1.5');
    await user.click(await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ }));
    await waitFor(() => expect(posts()[0]?.body).toMatchObject({ max_duration: 90 }));
    expect(posts()[0]?.body).toMatchObject({ limit: '' });
  });

  it('shows on which runner and with which priority a task runs, and changes what is permitted', async () => {
    const options = { ...DEPLOY.options, runner_tags: ['dmz', 'gpu'] };
    const prompts = { ...DEPLOY.prompts, priority: [-5, 10] };
    const { user, posts } = await showDialog({ template: { ...DEPLOY, options, prompts } });
    await user.type(screen.getByLabelText('Hosts at once'), '1');
    expect(screen.getByText(/on a runner with the tags/)).toBeTruthy();
    expect(screen.getByText('dmz and gpu')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Runner tags/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Priority: 0 (normal)' }));
    await user.click(screen.getByRole('combobox', { name: 'Priority' }));
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['+10', '0 (normal)', '−5']);
    await user.click(screen.getByRole('option', { name: '+10' }));
    await user.click(await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ }));
    await waitFor(() => expect(posts()[0]?.body).toMatchObject({ priority: 10 }));
    expect(posts()[0]?.body).not.toHaveProperty('runner_tags');
  });

  it('names the options of an earlier task that the template fixes meanwhile', async () => {
    const template = {
      ...DEPLOY,
      options: { ...DEPLOY.options, diff: true },
      prompts: { ...DEPLOY.prompts, diff: 'fixed' },
    } as const;
    await showDialog({ template, again: 77 });
    expect(
      screen.getByText(
        'Not as in #77, because it is fixed now: Hosts at once (5 to the setting of Ansible), Diff (No to Yes)',
      ),
    ).toBeTruthy();
  });

  it('names the options of an earlier task that differ from the template today, with both values', async () => {
    const template = { ...DEPLOY, options: { ...DEPLOY.options, forks: 8, tags: ['web'] } };
    const prompts = { ...DEPLOY.prompts, forks: 'any', tags: 'any' } as const;
    await showDialog({ template: { ...template, prompts }, again: 77 });
    const line = (await screen.findByText(/Prefilled with the values of/)).textContent;
    expect(line).toContain(
      'Not as in the template today: Only tags (all steps instead of web), Hosts at once (5 instead of 8).',
    );
    expect(screen.getByRole('button', { name: 'Hosts at once: 5 hosts at once' })).toBeTruthy();
  });

  it('names hosts that the inventory does not have, and starts no task without a host', async () => {
    const { user, posts } = await showDialog({ template: { ...DEPLOY, survey_vars: [] } });
    await user.click(await screen.findByRole('button', { name: 'Limit to hosts: all 3 hosts' }));
    const search = screen.getByRole('combobox', { name: 'Limit to hosts' });
    await user.type(search, 'web-1,web-8{Enter}');
    expect(screen.getByText('web-8 is not in this inventory', { selector: 'p:not(.sr)' })).toBeTruthy();
    expect(screen.getByText('web-8', { selector: '[data-unknown] > span' })).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Deploy 2.14.0 to 1 host' })).toHaveProperty('disabled', false);
    await user.click(screen.getByRole('button', { name: 'Remove web-1' }));
    const start = await screen.findByRole('button', { name: 'Deploy 2.14.0 to 0 hosts' });
    expect(start).toHaveProperty('disabled', true);
    expect(document.getElementById(start.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'The limit selects no host of the inventory. Change it to start the task.',
    );
    expect(screen.getByRole('button', { name: 'Dry run first' })).toHaveProperty('disabled', true);
    await user.type(screen.getByLabelText('Message'), '{Enter}');
    expect(posts()).toEqual([]);
  });

  it('counts the hosts on its button as the limit changes', async () => {
    const { user } = await showDialog({ template: { ...DEPLOY, survey_vars: [] } });
    expect(await screen.findByRole('button', { name: 'Deploy 2.14.0 to 3 hosts' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Limit to hosts: all 3 hosts' }));
    await user.type(screen.getByRole('combobox', { name: 'Limit to hosts' }), 'api-1{Enter}');
    expect(await screen.findByRole('button', { name: 'Deploy 2.14.0 to 1 host' })).toBeTruthy();
  });

  it('does not send invalid values, and focuses the first error', async () => {
    const { user, posts } = await showDialog();
    await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ });
    await user.click(screen.getByRole('button', { name: /^Deploy 2\.14\.0/ }));
    expect(screen.getByText('Hosts at once is required')).toBeTruthy();
    await user.type(screen.getByLabelText('Hosts at once'), 'many{Enter}');
    expect(screen.getByText('Hosts at once must be integer')).toBeTruthy();
    expect(posts()).toEqual([]);
  });

  it('starts a dry run with one click', async () => {
    const { started, user, posts } = await showDialog();
    await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ });
    await user.type(screen.getByLabelText('Hosts at once'), '1');
    await user.click(screen.getByRole('button', { name: 'Dry run first' }));
    await waitFor(() => expect(started).toEqual([99]));
    expect(posts()[0]?.body).toMatchObject({ dry_run: true });
  });

  it('stays open with the entered values when the server refuses the task', async () => {
    const { started, user } = await showDialog({
      start: () => ({
        status: 400,
        body: {
          error: 'The answers are not right.',
          code: 'bad_input',
          fields: { 'environment.hosts': 'must be lower' },
        },
      }),
    });
    await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ });
    await user.type(screen.getByLabelText('Hosts at once'), '900{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('The answers are not right.');
    expect(screen.getByText('must be lower')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Hosts at once').value).toBe('900');
    expect(started).toEqual([]);
  });

  it.each([
    ['max_duration', 'textbox', 'Time limit in minutes'],
    ['limit', 'combobox', 'Limit to hosts'],
    ['tags.0', 'combobox', 'Only tags'],
    ['environment.hosts', 'textbox', 'Hosts at once'],
  ])('opens the option %s that the server refuses, scrolls to it and focuses it', async (field, role, name) => {
    const any = { limit: 'any', tags: 'any', max_duration: 'any' } as const;
    const { user } = await showDialog({
      template: { ...DEPLOY, prompts: { ...DEPLOY.prompts, ...any } },
      start: () => ({
        status: 400,
        body: { error: 'The values are not right.', code: 'bad_input', fields: { [field]: 'is not allowed' } },
      }),
    });
    await user.type(await screen.findByRole('textbox', { name: 'Hosts at once' }), '5');
    await user.click(await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ }));
    expect(await screen.findByText('is not allowed')).toBeTruthy();
    const input = screen.getByRole(role, { name });
    expect([document.activeElement, input.getAttribute('aria-invalid')]).toEqual([input, 'true']);
  });

  it('shows the error of an option without inputs below the text', async () => {
    const { user } = await showDialog({
      start: () => ({
        status: 400,
        body: { error: 'The values are not right.', code: 'bad_input', fields: { diff: 'is not allowed' } },
      }),
    });
    await user.type(await screen.findByRole('textbox', { name: 'Hosts at once' }), '5');
    await user.click(await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ }));
    expect(await screen.findByText('Diff: is not allowed')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Diff: without diff' }));
  });

  it('starts with the answers of an earlier task, or blank on request', async () => {
    const { user } = await showDialog({ again: 77 });
    expect(screen.getByLabelText<HTMLInputElement>('Message').value).toBe('before');
    expect(await screen.findByRole('button', { name: /^Deploy 2\.13\.0/ })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Start blank' }));
    expect(screen.getByLabelText<HTMLInputElement>('Message').value).toBe('');
    expect(screen.getByLabelText<HTMLInputElement>('Hosts at once').value).toBe('');
  });

  it('shows guests what the template runs, without a run button', async () => {
    await showDialog({ permissions: 0 });
    expect(screen.getAllByText('You have read-only access').length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: /Deploy/ })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Dry run first' })).toBeNull();
    expect(screen.getByLabelText('Message').closest('fieldset')).toHaveProperty('disabled', true);
  });

  it('has an input for arguments only if the template allows them', async () => {
    await showDialog();
    expect(screen.queryByLabelText('Arguments')).toBeNull();
  });

  it('checks arguments before it sends them', async () => {
    const { user, posts } = await showDialog({
      template: { ...DEPLOY, allow_override_args_in_task: true, survey_vars: [] },
    });
    await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ });
    await user.click(screen.getByLabelText('Arguments'));
    await user.paste('--tags web');
    await user.click(screen.getByRole('button', { name: /^Deploy 2\.14\.0/ }));
    expect(screen.getByText(/Must be a JSON array of strings/)).toBeTruthy();
    expect(posts()).toEqual([]);
  });
});

it('the new task dialog starts with the values of a schedule', async () => {
  await showDialog({ schedule: 7 });
  expect(screen.getByLabelText<HTMLInputElement>('Message').value).toBe('By the clock');
  expect(screen.getByLabelText<HTMLInputElement>(/^Hosts at once/).value).toBe('8');
});

describe('the new task dialog in a freeze window', () => {
  const template = sampleTemplate({ id: 6, inventory_id: 1, labels: [8] });
  const current = { from: '2020-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
  const windows = [
    sampleFreezeWindow({ label_id: 8, current }),
    sampleFreezeWindow({ id: 4, name: 'Elsewhere', inventory_id: 9, current }),
  ];

  it('starts a task only with a reason', async () => {
    const { posts, user } = await showDialog({ template, permissions: 5, windows });
    expect(await screen.findByText(/^The freeze window Year end is active until .*: Books are closed/)).toBeTruthy();
    expect(screen.queryByText(/Elsewhere/)).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Run/ }));
    expect(await screen.findByText('Enter a reason to start a task in a freeze window.')).toBeTruthy();
    expect(posts()).toEqual([]);
    await user.type(screen.getByLabelText(/^Reason for the start now/), 'Disk is full');
    await user.click(screen.getByRole('button', { name: /^Run/ }));
    await waitFor(() => expect(posts()).toMatchObject([{ body: { freeze_reason: 'Disk is full' } }]));
  });

  it('explains to users whose role does not permit editing the template why they cannot start a task', async () => {
    await showDialog({ template, permissions: 1, windows });
    expect(
      await screen.findByText(/Only users whose role permits editing the template can start a task now/),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull();
    expect(screen.queryByLabelText(/^Reason/)).toBeNull();
  });
});
