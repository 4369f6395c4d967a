import type { AccessDecision, Grant } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { sampleTemplate, sampleVariable } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import type { FixedValuesForm } from '../../ui/forms/launch-form.ts';
import { AccessPage } from './access-page.tsx';

const no = (reason: AccessDecision['reason']): AccessDecision => ({
  allowed: false,
  reason,
  grant_ids: [],
  limited: false,
});
const byRole: AccessDecision = { allowed: true, reason: 'role', grant_ids: [], limited: false };
const member = (user_id: number, name: string, role: string, decisions: object) => ({
  user_id,
  name,
  role,
  role_id: null,
  groups: [],
  see: byRole,
  run: byRole,
  approve: byRole,
  edit: byRole,
  ...decisions,
});
const GRANT: Grant = {
  id: 4,
  project_id: 1,
  template_id: 7,
  view_id: null,
  user_id: 2,
  role: null,
  role_id: null,
  group_name: '',
  rights: ['run'],
  inventory_id: null,
  limit: 'staging',
  answers: '{"size":5}',
  granted_by: 1,
  granted_by_name: 'mara',
  created: '2026-03-04T10:00:00.000Z',
};
const byGrant = { allowed: true, reason: 'grant', grant_ids: [4], limited: true };
const role = (slug: string, rights: string[]) => ({
  slug,
  title: slug,
  role_id: null,
  rights,
  starts_from: null,
  of_system: true,
});

const SIZE = sampleVariable({
  ...{ name: 'size', title: 'Size of the cluster', type: 'enum' },
  values: [{ value: '5', name: 'Small' }],
});

/** The fields of hosts and answers belong to another part. */
const FIXED: FixedValuesForm = {
  Hosts: ({ label, value, onChange }) => (
    <input aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  ),
  ...{ Fields: () => null, values: () => ({}), text: () => '{}', problems: () => ({}) },
};

const showAccess = async () => {
  const template = { ...sampleTemplate({ id: 7 }), name: 'Deploy', restricted: true, survey_vars: [SIZE] };
  const answers: Record<string, unknown> = {
    '/api/project/1/templates/7': template,
    '/api/project/1/templates/7/access': [
      member(1, 'Mara', 'owner', {}),
      member(2, 'Ivo', 'guest', { see: byGrant, run: byGrant, approve: no('restricted'), edit: no('restricted') }),
      member(3, 'Ada', 'manager', {
        see: no('restricted'),
        run: no('restricted'),
        approve: no('restricted'),
        edit: no('restricted'),
      }),
    ],
    '/api/project/1/grants': [GRANT],
    '/api/project/1/roles': [
      role('owner', ['run_tasks', 'edit_templates']),
      role('guest', []),
      role('manager', ['run_tasks']),
    ],
    '/api/project/1/users': [
      { user_id: 2, id: 2, project_id: 1, role: 'guest', role_id: null, name: 'Ivo', username: 'ivo' },
      { user_id: 3, id: 3, project_id: 1, role: 'manager', role_id: null, name: 'Ada', username: 'ada' },
    ],
  };
  const calls = answerCalls(({ method, path }) =>
    method === 'GET'
      ? { status: 200, body: answers[path] ?? [] }
      : { status: method === 'POST' ? 201 : 204, body: GRANT },
  );
  await show(<AccessPage project={1} template={7} fixed={FIXED} />);
  await screen.findByRole('button', { name: 'Ivo' });
  const changes = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }));
  return { changes, user: userEvent.setup() };
};

describe('access to a template', () => {
  it('is shown for each member with its reason, and filtered by what they may do', async () => {
    const { user } = await showAccess();
    const ivo = screen.getAllByRole('row', { name: /^Ivo/ })[0] as HTMLElement;
    expect(within(ivo).getAllByText('Limited')).toHaveLength(2);
    expect(within(ivo).getAllByText('1 grant')).toHaveLength(2);
    expect(within(ivo).getAllByText('restricted')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Can run 2' }));
    expect(screen.queryByRole('button', { name: 'Ada' })).toBeNull();
  });

  it('is explained in steps for the chosen member', async () => {
    const { user } = await showAccess();
    await user.click(screen.getByRole('button', { name: 'Ivo' }));
    const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(steps).toEqual([
      'Permitted by the role: See. The role is Guest',
      "The template is restricted, so the role doesn't count.",
      'A grant by mara permits: Run (hosts staging and Size of the cluster: Small). Edit grant',
    ]);
    await user.click(screen.getByRole('button', { name: 'Ada' }));
    expect(screen.getByText('There is no grant.')).toBeTruthy();
  });

  it('is granted to a role with the only hosts of its tasks', async () => {
    const { changes, user } = await showAccess();
    await user.click(screen.getByRole('button', { name: 'Grant access' }));
    const dialog = await screen.findByRole('dialog', { name: /^Grant access/ });
    await user.click(within(dialog).getByRole('button', { name: 'Save grant' }));
    expect(within(dialog).getByText('User is required')).toBeTruthy();
    await user.click(within(dialog).getByRole('radio', { name: 'Role' }));
    await user.click(within(dialog).getByRole('combobox', { name: 'Role' }));
    await user.click(await screen.findByRole('option', { name: 'Guest' }));
    await user.type(within(dialog).getByLabelText('Only on these hosts'), 'staging');
    await user.click(within(dialog).getByRole('button', { name: 'Save grant' }));
    await waitFor(() =>
      expect(changes()).toMatchObject([
        {
          method: 'POST',
          path: '/api/project/1/grants',
          body: {
            template_id: 7,
            view_id: null,
            user_id: null,
            role: 'guest',
            rights: ['see', 'run'],
            limit: 'staging',
          },
        },
      ]),
    );
  });

  it('is taken away after a confirmation, and the restriction is a switch', async () => {
    const { changes, user } = await showAccess();
    await user.click(screen.getByRole('button', { name: 'Take the rights of Ivo away' }));
    const dialog = await screen.findByRole('dialog', { name: /^Take rights away/ });
    await user.click(within(dialog).getByRole('button', { name: 'Take rights away' }));
    await waitFor(() => expect(changes()).toMatchObject([{ method: 'DELETE', path: '/api/project/1/grants/4' }]));
    await user.click(screen.getByRole('switch', { name: /^Restricted/ }));
    await waitFor(() => expect(changes()[1]).toMatchObject({ method: 'PUT', body: { restricted: false } }));
  });
});
