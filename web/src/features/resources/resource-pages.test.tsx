import type { Environment, Inventory, Key, References, Repository } from '@signalbox/contract';
import { QueryClient } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../lang/language.ts';
import { NO_SECRET } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given, type Made } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import { closeToast, currentToast } from '../../ui/toast/toast-store.ts';
import { ENVIRONMENTS } from './environments.tsx';
import { INVENTORIES } from './inventories.tsx';
import { KEYS } from './keys.tsx';
import { REPOSITORIES } from './repositories.tsx';
import { type Resource, ResourcePage, type ResourceState, type ResourceTraits } from './resource-page.tsx';

const SSH: Key = { id: 4, project_id: 1, name: 'Deploy', type: 'ssh', ...NO_SECRET };
const LOGIN: Key = {
  ...{ id: 5, project_id: 1, name: 'Login', type: 'login_password' },
  ...NO_SECRET,
  login_password: { login: 'backup', password: '' },
};
const INVENTORY: Inventory = {
  id: 3,
  project_id: 1,
  name: 'Frankfurt',
  type: 'static',
  inventory: '[web]\nweb-01',
  ssh_key_id: 4,
  become_key_id: 5,
  runner_tags: ['dmz'],
};
const ENVIRONMENT: Environment = { id: 6, project_id: 1, name: 'Production', json: '{"a": 1}', env: '{}', secrets: [] };
const REPOSITORY: Repository = {
  id: 2,
  project_id: 1,
  name: 'Plays',
  git_url: 'https://git.example/plays.git',
  git_branch: 'main',
  ssh_key_id: 4,
};
const UNUSED: References = { templates: [], inventories: [], repositories: [], schedules: [], used_by_hidden: false };

interface Options {
  start?: ResourceState;
  isGuest?: boolean;
  references?: Given;
  answer?: (made: Made) => Given;
  inventory?: Inventory;
}

const showPage = async <T extends Resource>(
  kind: ResourceTraits<T>,
  {
    start = {},
    isGuest = false,
    references = { status: 200, body: UNUSED },
    answer,
    inventory = INVENTORY,
  }: Options = {},
) => {
  closeToast();
  const answers: Record<string, unknown> = {
    '/api/project/1/role': isGuest ? { role: 'guest', permissions: 0 } : { role: 'manager', permissions: 5 },
    '/api/project/1/keys': [SSH, LOGIN],
    '/api/project/1/inventory': [inventory],
    '/api/project/1/environment': [ENVIRONMENT],
    '/api/project/1/repositories': [REPOSITORY],
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const calls = answerCalls((made) => {
    if (made.path.endsWith('/refs')) return references;
    if (made.method !== 'GET') return answer?.(made) ?? { status: 204 };
    return { status: 200, body: answers[made.path] ?? [] };
  });
  const states: ResourceState[] = [];
  await show(
    <TestState<ResourceState> start={start} onChange={(state) => states.push(state)}>
      {(state, onState) => <ResourcePage kind={kind} project={1} state={state} onState={onState} />}
    </TestState>,
    { client },
  );
  /** Another user deletes all objects of one kind, and the page is notified. */
  const deleteElsewhere = (path: string) => {
    answers[path] = [];
    return act(() => client.invalidateQueries());
  };
  const changes = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }));
  return { calls, changes, deleteElsewhere, states, user: userEvent.setup() };
};

const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
const choose = async (user: ReturnType<typeof userEvent.setup>, field: string, option: string) => {
  await user.click(screen.getByRole('combobox', { name: field }));
  await user.click(await screen.findByRole('option', { name: option }));
};

describe('deleting a resource', () => {
  it('asks for confirmation, deletes and shows a toast', async () => {
    const { changes, user } = await showPage(KEYS);
    await user.click(await screen.findByRole('button', { name: 'Delete Deploy' }));
    await user.click((await dialog(/Delete key/)).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(changes()).toMatchObject([{ method: 'DELETE', path: '/api/project/1/keys/4' }]));
    await waitFor(() => expect(currentToast()?.text).toBe('Key Deploy deleted'));
  });

  it('is not offered while other objects use the resource: the dialog links to all of them', async () => {
    const body = {
      templates: [{ id: 1, name: 'Ping Site' }],
      inventories: [{ id: 3, name: 'Frankfurt' }],
      repositories: [{ id: 2, name: 'Plays' }],
      schedules: [{ id: 8, name: 'Nightly' }],
    };
    const { changes, user } = await showPage(KEYS, { references: { status: 200, body } });
    await user.click(await screen.findByRole('button', { name: 'Delete Deploy' }));
    const shown = await dialog(/Can't delete the key/);
    expect(shown.getByText("The key can't be deleted because it used by the resources below")).toBeTruthy();
    const heads = shown.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    expect(heads).toEqual(['Templates', 'Inventories', 'Repositories', 'Schedules']);
    expect(shown.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/project/1/templates/1',
      '/project/1/inventory?edit=3',
      '/project/1/repositories?edit=2',
      '/project/1/schedules?edit=8',
    ]);
    expect(shown.queryByRole('button', { name: 'Delete' })).toBeNull();
    expect(changes()).toEqual([]);
  });

  it('is not offered while only templates use the resource that the user must not see', async () => {
    const body = { ...UNUSED, used_by_hidden: true };
    const { user } = await showPage(KEYS, { references: { status: 200, body } });
    await user.click(await screen.findByRole('button', { name: 'Delete Deploy' }));
    const shown = await dialog(/Can't delete the key/);
    expect(shown.getByText(/^Restricted templates that you can't see use it/)).toBeTruthy();
    expect(shown.queryByText(/resources below/)).toBeNull();
  });

  it('asks for confirmation when its uses cannot be determined', async () => {
    const { changes, user } = await showPage(KEYS, { references: { status: 500, body: { error: 'Broken.' } } });
    await user.click(await screen.findByRole('button', { name: 'Delete Deploy' }));
    await user.click((await dialog(/Delete key/)).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(changes()).toMatchObject([{ method: 'DELETE' }]));
  });

  it('shows the error of the server in a toast', async () => {
    const { user } = await showPage(KEYS, { answer: () => ({ status: 409, body: { error: 'It is in use.' } }) });
    await user.click(await screen.findByRole('button', { name: 'Delete Deploy' }));
    await user.click((await dialog(/Delete key/)).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(currentToast()).toMatchObject({ kind: 'error', text: 'It is in use.' }));
  });
});

describe('the list of resources', () => {
  it('shows a dash for an empty cell', async () => {
    await showPage(INVENTORIES, { inventory: { ...INVENTORY, become_key_id: null } });
    const row = (await screen.findByRole('button', { name: 'Frankfurt' })).closest('tr') as HTMLElement;
    // The whole of what a narrow column may cut stands in its title.
    expect((await within(row).findByText('Deploy')).title).toBe('Deploy');
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['Frankfurt', 'Static', 'Deploy', '–', '']);
  });
});

describe('the form of a resource that a URL opens', () => {
  it('opens, and its parameter is removed from the URL when it is closed', async () => {
    const { states, user } = await showPage(INVENTORIES, { start: { edit: 3 } });
    await user.click((await dialog(/Edit inventory/)).getByRole('button', { name: 'Cancel' }));
    expect(states).toEqual([{ edit: undefined }]);
  });

  it('keeps the typed text when another user deletes the object, and shows a notice', async () => {
    const { changes, deleteElsewhere, states, user } = await showPage(KEYS, {
      start: { edit: 4 },
      answer: () => ({ status: 404, body: { error: 'There is no such key.' } }),
    });
    const form = await dialog(/Edit key/);
    await user.type(form.getByLabelText('Name'), ' to all');
    await deleteElsewhere('/api/project/1/keys');
    expect(await form.findByText(/^Another user deleted this/)).toBeTruthy();
    expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('Deploy to all');
    await user.click(form.getByRole('button', { name: 'Save key' }));
    expect(await form.findByText('There is no such key.')).toBeTruthy();
    expect(changes()).toHaveLength(1);
    expect(states).toEqual([]);
  });

  it('shows that the object was not found', async () => {
    const { states, user } = await showPage(INVENTORIES, { start: { edit: 999 } });
    const shown = await dialog('Not found');
    expect(shown.getByText('Page not found')).toBeTruthy();
    await user.click(shown.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    expect(states).toEqual([{ edit: undefined }]);
  });

  it('asks before it discards typed values', async () => {
    const { states, user } = await showPage(INVENTORIES, { start: { edit: 3 } });
    const shown = await dialog(/Edit inventory/);
    await user.type(shown.getByLabelText('Name'), '2');
    await user.click(shown.getByRole('button', { name: 'Cancel' }));
    expect(shown.getByText('Your changes will be lost.')).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'Keep editing' }));
    expect(states).toEqual([]);
  });
});

describe('a form that is opened again', () => {
  it('starts with the stored values and without previous errors', async () => {
    const { user } = await showPage(INVENTORIES, { start: { edit: 3 } });
    const first = await dialog(/Edit inventory/);
    await user.clear(first.getByLabelText('Name'));
    await user.click(first.getByRole('button', { name: 'Save inventory' }));
    expect(first.getByText('Name is required')).toBeTruthy();
    await user.click(first.getByRole('button', { name: 'Cancel' }));
    await user.click(first.getByRole('button', { name: 'Discard' }));
    await user.click(await screen.findByRole('button', { name: 'Frankfurt' }));
    const second = await dialog(/Edit inventory/);
    expect(second.getByLabelText<HTMLInputElement>('Name').value).toBe('Frankfurt');
    expect(second.queryByText('Name is required')).toBeNull();
  });
});

describe('read-only members', () => {
  const opened = (id: number): Options => ({ start: { edit: id }, isGuest: true });

  it.each([
    ['Frankfurt Inventory', () => showPage(INVENTORIES, opened(3))],
    ['Production Environment', () => showPage(ENVIRONMENTS, opened(6))],
    ['Deploy Key Store', () => showPage(KEYS, opened(4))],
    ['Plays Repositories', () => showPage(REPOSITORIES, opened(2))],
  ])('have no buttons for changes, and a read-only form: %s', async (name, open) => {
    await open();
    const shown = await dialog(name);
    expect(shown.getByText('You have read-only access')).toBeTruthy();
    expect(shown.getByLabelText('Name').closest('fieldset')).toHaveProperty('disabled', true);
    expect(shown.queryByRole('button', { name: /^Save/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /^(New|Edit|Delete)/, hidden: true })).toBeNull();
  });

  it('see a notice that the text of an inventory is hidden from them', async () => {
    await showPage(INVENTORIES, { start: { edit: 3 }, isGuest: true, inventory: { ...INVENTORY, inventory: '' } });
    expect(
      (await dialog('Frankfurt Inventory')).getByText(
        "You don't have permission to view the content of this inventory.",
      ),
    ).toBeTruthy();
  });
});

describe('the form of a key', () => {
  it('has the fields of the chosen type', async () => {
    const { changes, user } = await showPage(KEYS, {
      start: { edit: 'new' },
      answer: () => ({ status: 201, body: { ...LOGIN, id: 9 } }),
    });
    const shown = await dialog('New key');
    await user.click(shown.getByRole('button', { name: 'Save key' }));
    expect(shown.getByText('Name is required')).toBeTruthy();
    expect(shown.getByText('Private key is required')).toBeTruthy();
    await choose(user, 'Type', 'Login with password');
    await user.click(shown.getByRole('button', { name: 'Save key' }));
    expect(shown.getByText('Password is required')).toBeTruthy();
    await user.type(shown.getByLabelText('Name'), 'Root');
    await user.type(shown.getByLabelText('Password'), 'secret');
    await user.click(shown.getByRole('button', { name: 'Save key' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Key Root created'));
    expect(changes()[0]).toMatchObject({
      method: 'POST',
      path: '/api/project/1/keys',
      body: { name: 'Root', type: 'login_password', login_password: { login: '', password: 'secret' } },
    });
  });

  it('shows the login of a stored key in the list and the form, and changes it without the secret', async () => {
    const { changes, user } = await showPage(KEYS, { start: { edit: 5 } });
    expect(await screen.findByText('backup')).toBeTruthy();
    const shown = await dialog(/Edit key/);
    const login = shown.getByLabelText<HTMLInputElement>('Login');
    expect(login.value).toBe('backup');
    await user.type(login, '2');
    await user.click(shown.getByRole('button', { name: 'Save key' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Key Login saved'));
    const body = {
      name: 'Login',
      type: 'login_password',
      override_secret: false,
      login_password: { login: 'backup2' },
    };
    expect(changes()).toEqual([{ method: 'PUT', path: '/api/project/1/keys/5', body }]);
  });

  it('shows no field for the login to members who may not change keys', async () => {
    await showPage(KEYS, { start: { edit: 5 }, isGuest: true });
    expect((await dialog('Login Key Store')).queryByLabelText('Login')).toBeNull();
  });

  it('has a button to show the password, named in the language of the user', async () => {
    const { user } = await showPage(KEYS, { start: { edit: 'new' } });
    const shown = await dialog('New key');
    await choose(user, 'Type', 'Login with password');
    expect(shown.getByRole('button', { name: 'Show password', hidden: true })).toBeTruthy();
    await act(() => chooseLanguage('de'));
    expect(shown.getByRole('button', { name: 'Passwort anzeigen', hidden: true })).toBeTruthy();
    await act(() => chooseLanguage('en'));
  });

  it('shows its secret fields only while its stored secret is being replaced', async () => {
    const { user } = await showPage(KEYS, { start: { edit: 4 } });
    const shown = await dialog(/Edit key/);
    expect(shown.queryByLabelText('Private key')).toBeNull();
    await user.click(shown.getByRole('checkbox', { name: 'Replace the secret' }));
    expect(shown.getByLabelText('Private key')).toBeTruthy();
  });
});

describe('the form of an inventory', () => {
  it('requires credentials, and a path for a file; offers only logins with a password for sudo', async () => {
    const { changes, user } = await showPage(INVENTORIES, { start: { edit: 'new' } });
    const shown = await dialog('New inventory');
    await user.click(shown.getByRole('radio', { name: 'File' }));
    await user.click(shown.getByRole('button', { name: 'Save inventory' }));
    expect(shown.getByText('User credentials are required')).toBeTruthy();
    expect(shown.getByText('Path is required')).toBeTruthy();
    expect(changes()).toEqual([]);
    await user.click(shown.getByRole('combobox', { name: 'Sudo credentials' }));
    const offered = (await screen.findAllByRole('option')).map(({ textContent }) => textContent);
    expect(offered).toEqual(['Login']);
  });
});

describe('the form of an environment', () => {
  it('sends the variables unchanged', async () => {
    const { changes, user } = await showPage(ENVIRONMENTS, { start: { edit: 6 } });
    const shown = await dialog(/Edit environment/);
    await user.clear(shown.getByLabelText('Name'));
    await user.click(shown.getByRole('button', { name: 'Save environment' }));
    expect(shown.getByText('Name is required')).toBeTruthy();
    await user.type(shown.getByLabelText('Name'), 'Live');
    await user.click(shown.getByRole('button', { name: 'Save environment' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Environment Live saved'));
    expect(changes()).toEqual([
      {
        method: 'PUT',
        path: '/api/project/1/environment/6',
        body: { name: 'Live', json: '{"a": 1}', env: '{}', secrets: [] },
      },
    ]);
  });
});

describe('the form of a repository', () => {
  it('shows the type of the URL, and rewrites the URL when another type is chosen', async () => {
    const { changes, user } = await showPage(REPOSITORIES, { start: { edit: 2 } });
    const shown = await dialog(/Edit repository/);
    const url = shown.getByLabelText<HTMLInputElement>('URL or path');
    expect(shown.getByRole('button', { name: 'https' }).getAttribute('aria-pressed')).toBe('true');
    await user.click(shown.getByRole('button', { name: 'ssh' }));
    expect(url.value).toBe('ssh://git.example/plays.git');
    expect(shown.getByRole('button', { name: 'ssh' }).getAttribute('aria-pressed')).toBe('true');
    await user.clear(url);
    await user.type(url, 'ftp://git.example/plays');
    await user.clear(shown.getByRole('combobox', { name: 'Branch' }));
    await user.click(shown.getByRole('button', { name: 'Save repository' }));
    expect(shown.getByText('Incorrect URL')).toBeTruthy();
    expect(shown.getByText('Branch is required')).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'local' }));
    await user.click(shown.getByRole('button', { name: 'Save repository' }));
    await waitFor(() => expect(changes()).toMatchObject([{ method: 'PUT', body: { git_url: '/git.example/plays' } }]));
  });
});
