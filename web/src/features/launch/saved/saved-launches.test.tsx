import type { SavedLaunch } from '@signalbox/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { sampleTask, sampleTemplate, sampleVariable } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { narrowTemplate } from '../granted/granted-template.ts';
import { NewTaskDialog } from '../new-task-dialog.tsx';
import { newTaskBody, startValues } from '../new-task-values.ts';
import { RunMenu } from './run-menu.tsx';
import { filledValues, isComplete, valuesToSave } from './saved-values.ts';

const TEMPLATE = sampleTemplate({
  id: 6,
  name: 'Apply rules',
  survey_vars: [
    sampleVariable({ name: 'count', title: 'How many', type: 'int', required: true }),
    sampleVariable({ name: 'token', title: 'Token', type: 'secret' }),
  ],
});

const VALUES = valuesToSave(TEMPLATE, startValues(TEMPLATE, undefined));

const saved = (change: Partial<SavedLaunch> = {}): SavedLaunch => ({
  ...{ id: 3, project_id: 1, template_id: 6, name: 'Nightly', shared: true },
  launch_values: { ...VALUES, environment: '{"count":3}', limit: 'staging' },
  ...change,
});

interface Options {
  launches?: SavedLaunch[];
  permissions?: number;
  launch?: number;
}

const answer = ({ launches = [saved()], permissions = 5 }: Options) => {
  const calls = answerCalls(({ method, path, body }) => {
    if (path.endsWith('/role')) return { status: 200, body: { role: 'x', permissions } };
    if (path.endsWith('/templates/6')) return { status: 200, body: TEMPLATE };
    if (path.endsWith('/launches') && method === 'POST') {
      const made = { ...saved(), ...(body as object), id: 9 };
      launches.push(made);
      return { status: 201, body: made };
    }
    if (path.endsWith('/launches')) return { status: 200, body: launches };
    if (path.includes('/launches/')) return method === 'GET' ? { status: 200, body: launches[0] } : { status: 204 };
    if (method === 'POST') return { status: 201, body: sampleTask({ id: 99, template_id: 6 }) };
    return { status: 200, body: path.endsWith('/hosts') ? { last_task_id: null, hosts: [], groups: [] } : [] };
  });
  return { user: userEvent.setup(), sent: (method: string) => calls.filter((made) => made.method === method) };
};

const showDialog = async (options: Options = {}) => {
  const given = answer(options);
  await show(
    <NewTaskDialog
      project={1}
      template={6}
      again={undefined}
      launch={options.launch}
      onClose={() => undefined}
      onStarted={() => undefined}
    />,
  );
  await screen.findByLabelText('Message');
  return given;
};

const open = async (user: ReturnType<typeof userEvent.setup>) =>
  user.click(await screen.findByRole('button', { name: 'Saved launches' }));

describe('saved launches in the new task dialog', () => {
  it('fill the form, and are replaced and deleted there', async () => {
    const { user, sent } = await showDialog();
    await open(user);
    await user.click(await screen.findByRole('menuitem', { name: 'Nightly' }));
    expect(screen.getByText('Filled with the saved launch “Nightly”.')).toBeTruthy();
    const count = screen.getByLabelText<HTMLInputElement>('How many');
    expect(count.value).toBe('3');
    await user.clear(count);
    await user.type(count, '4');
    await open(user);
    await user.click(await screen.findByRole('menuitem', { name: 'Replace Nightly' }));
    await waitFor(() =>
      expect(sent('PUT')[0]).toMatchObject({
        path: '/api/project/1/templates/6/launches/3',
        body: { launch_values: { environment: '{"count":"4"}', limit: 'staging' } },
      }),
    );
    await open(user);
    await user.click(await screen.findByRole('menuitem', { name: 'Delete Nightly' }));
    expect(sent('DELETE')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(sent('DELETE')).toHaveLength(1));
  });

  it('keep the form without secret answers under a name, shared or not', async () => {
    const { user, sent } = await showDialog({ launches: [] });
    await user.type(screen.getByLabelText('How many'), '5');
    await user.type(screen.getByLabelText(/^Token/), 'hunter2');
    await user.click(screen.getByRole('button', { name: 'Save as launch' }));
    await user.keyboard('Weekly');
    await user.click(screen.getByRole('checkbox', { name: 'Share with the project' }));
    await user.click(screen.getByRole('button', { name: 'Save launch' }));
    await waitFor(() =>
      expect(sent('POST')[0]?.body).toMatchObject({
        ...{ name: 'Weekly', shared: true },
        launch_values: { environment: '{"count":"5"}' },
      }),
    );
    expect(await screen.findByText('Filled with the saved launch “Weekly”.')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>(/^Token/).value).toBe('hunter2');
  });

  it('that are shared are changed only by users who may edit templates', async () => {
    const { user } = await showDialog({ permissions: 1, launch: 3 });
    expect(screen.getByText('Filled with the saved launch “Nightly”.')).toBeTruthy();
    await open(user);
    await screen.findByRole('menuitem', { name: 'Nightly' });
    expect(screen.queryByRole('menuitem', { name: 'Replace Nightly' })).toBeNull();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Save as launch' }));
    expect(screen.queryByRole('checkbox', { name: 'Share with the project' })).toBeNull();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('button', { name: 'Save launch' })).toBeNull();
    expect(screen.getByLabelText('Message')).toBeTruthy();
  });
});

describe('the menu next to the run button', () => {
  it('starts a saved launch at once, with its values', async () => {
    const { user, sent } = answer({});
    await show(<RunMenu template={TEMPLATE} />);
    await user.click(await screen.findByRole('button', { name: 'Saved launches of Apply rules' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Nightly' }));
    await waitFor(() => expect(sent('POST')).toHaveLength(1));
    expect(sent('POST')[0]?.body).toEqual(newTaskBody(TEMPLATE, filledValues(TEMPLATE, saved(), '')));
    expect(sent('POST')[0]?.body).toMatchObject({ environment: '{"count":"3"}', limit: 'staging' });
  });

  it('opens the dialog first if a grant fixes another value', () => {
    const granted = (limits: object) => ({
      ...TEMPLATE,
      granted: { inventory_id: null, limit: '', answers: '{}', ...limits },
    });
    expect(isComplete(granted({ answers: '{"count":3}' }), saved())).toBe(true);
    expect(isComplete(granted({ answers: '{"count":4}' }), saved())).toBe(false);
    expect(isComplete(narrowTemplate(TEMPLATE, granted({ limit: 'prod' }).granted), saved())).toBe(false);
  });

  it.each([
    ['a required answer is missing', { ...VALUES, environment: '{}' }],
    ['the survey no longer has a variable', { ...VALUES, environment: '{"count":3,"gone":1}' }],
    ['a variable is a secret now', { ...VALUES, environment: '{"count":3,"token":"x"}' }],
    ['the template no longer permits an option', { ...VALUES, environment: '{"count":3}', git_branch: 'develop' }],
  ])('opens the dialog first if %s', (_why, launch_values) => {
    expect(isComplete(TEMPLATE, saved({ launch_values }))).toBe(false);
    expect(isComplete(TEMPLATE, saved())).toBe(true);
  });
});
