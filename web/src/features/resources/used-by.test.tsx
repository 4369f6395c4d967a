import type { References } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { NO_SECRET } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import { ENVIRONMENTS } from './environments.tsx';
import { INVENTORIES } from './inventories.tsx';
import { KEYS } from './keys.tsx';
import { REPOSITORIES } from './repositories.tsx';
import { type Resource, ResourcePage, type ResourceState, type ResourceTraits } from './resource-page.tsx';

const UNUSED: References = { templates: [], inventories: [], repositories: [], schedules: [], used_by_hidden: false };
const ITEMS: Readonly<Record<string, object>> = {
  keys: { id: 4, project_id: 1, name: 'Deploy', type: 'ssh', ...NO_SECRET },
  inventory: {
    ...{ id: 4, project_id: 1, name: 'Frankfurt', type: 'static', inventory: 'web-01' },
    ...{ ssh_key_id: 4, become_key_id: null, runner_tags: [] },
  },
  environment: { id: 4, project_id: 1, name: 'Production', json: '{}', env: '{}', secrets: [] },
  repositories: { id: 4, project_id: 1, name: 'Plays', git_url: '/srv/plays', git_branch: 'main', ssh_key_id: 4 },
};

const showForm = async (traits: object, edit: ResourceState['edit'], references: References) => {
  const calls = answerCalls(({ path }) => {
    if (path.endsWith('/refs')) return { status: 200, body: references };
    if (path.endsWith('/role')) return { status: 200, body: { role: 'manager', permissions: 5 } };
    const item = ITEMS[path.split('/').at(-1) ?? ''];
    return { status: 200, body: item ? [item] : [] };
  });
  await show(
    <TestState<ResourceState> start={{ edit }}>
      {(state, onState) => (
        <ResourcePage kind={traits as ResourceTraits<Resource>} project={1} state={state} onState={onState} />
      )}
    </TestState>,
  );
  const asked = () => calls.map(({ path }) => path).filter((path) => path.endsWith('/refs'));
  return { asked, user: userEvent.setup() };
};

describe('what uses a resource', () => {
  const used = { ...UNUSED, templates: [{ id: 1, name: 'Ping Site' }], schedules: [{ id: 8, name: 'Nightly' }] };

  it.each([
    ['keys', KEYS],
    ['inventory', INVENTORIES],
    ['environment', ENVIRONMENTS],
    ['repositories', REPOSITORIES],
  ])('is listed below the form of %s, with its number while the list is closed', async (name, traits) => {
    const { asked, user } = await showForm(traits, 4, used);
    const heading = await screen.findByText('Used by');
    expect(await within(heading).findByText('2')).toBeTruthy();
    await user.click(heading);
    const link = await screen.findByRole('link', { name: 'Ping Site' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/project/1/templates/1', '_blank']);
    expect(screen.getByRole('link', { name: 'Nightly' }).getAttribute('href')).toBe('/project/1/schedules?edit=8');
    expect(asked()).toEqual([`/api/project/1/${name}/4/refs`]);
  });

  it('can be nothing', async () => {
    const { user } = await showForm(KEYS, 4, UNUSED);
    await user.click(await screen.findByText('Used by'));
    expect(await screen.findByText('No other object uses it.')).toBeTruthy();
  });

  it('is not shown for a new object', async () => {
    await showForm(KEYS, 'new', used);
    await screen.findByRole('dialog');
    expect(screen.queryByText('Used by')).toBeNull();
  });
});
