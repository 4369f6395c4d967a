import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { AccessPage } from '../../features/access/access-page.tsx';
import { sampleTemplate, sampleVariable } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { FIXED_VALUES } from './launch-form.ts';

const STRATEGY = sampleVariable({
  ...{ name: 'strategy', title: 'Strategy', type: 'enum', required: true, default_value: 'all' },
  values: [
    { name: 'All', value: 'all' },
    { name: 'Canary', value: 'canary' },
  ],
});
const TEMPLATE = sampleTemplate({
  id: 7,
  inventory_id: 1,
  survey_vars: [
    STRATEGY,
    sampleVariable({
      ...{ name: 'first', title: 'Canary hosts', type: 'int' },
      show_when: { variable: 'strategy', values: ['canary'] },
    }),
    sampleVariable({ name: 'token', title: 'Token', type: 'secret' }),
  ],
});

it('the form of a grant fixes hosts of the inventory, and answers with the fields of the survey, and refuses one that is not shown', async () => {
  const calls = answerCalls(({ method, path }) => {
    if (method === 'POST') return { status: 201, body: {} };
    if (path.endsWith('/inventory/1/hosts'))
      return { status: 200, body: { hosts: ['db1', 'db2', 'web1'], groups: [{ name: 'db', hosts: ['db1', 'db2'] }] } };
    if (path.endsWith('/templates/7/hosts')) return { status: 200, body: { last_task_id: null, hosts: [] } };
    if (path.endsWith('/templates/7')) return { status: 200, body: TEMPLATE };
    return { status: 200, body: path.endsWith('/users') ? [{ user_id: 2, id: 2, name: 'Ivo', role: 'guest' }] : [] };
  });
  await show(<AccessPage project={1} template={7} fixed={FIXED_VALUES} />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Grant access' }));
  const dialog = within(await screen.findByRole('dialog', { name: /^Grant access/ }));
  await user.click(dialog.getByRole('combobox', { name: 'User' }));
  await user.click(await screen.findByRole('option', { name: 'Ivo' }));
  await user.type(dialog.getByRole('combobox', { name: 'Only on these hosts' }), 'db1, web1{Enter}');
  expect(dialog.queryByRole('checkbox', { name: /Token/ })).toBeNull();
  await user.click(dialog.getByRole('checkbox', { name: 'Fix “Canary hosts”' }));
  expect(dialog.getByText('Asked for only if “Strategy” is “Canary”. Fix this answer too.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Save grant' }));
  const alone = 'Canary hosts is asked for only with some answers to Strategy: fix one of these too';
  expect(await dialog.findByText(alone)).toBeTruthy();
  const posts = () => calls.filter(({ method }) => method === 'POST');
  expect(posts()).toEqual([]);
  await user.click(dialog.getByRole('checkbox', { name: 'Fix “Strategy”' }));
  await user.click(dialog.getByRole('radio', { name: 'Canary' }));
  await user.click(dialog.getByRole('button', { name: 'Save grant' }));
  expect(await dialog.findByText('Canary hosts is required')).toBeTruthy();
  await user.type(dialog.getByRole('textbox', { name: /^Canary hosts/ }), '3');
  await user.click(dialog.getByRole('button', { name: 'Save grant' }));
  await waitFor(() => expect(posts()).toHaveLength(1));
  expect(posts()[0]?.body).toMatchObject({ limit: 'db1:web1', answers: '{"strategy":"canary","first":3}' });
});
