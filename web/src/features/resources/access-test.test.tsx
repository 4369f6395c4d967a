import type { Key, Repository } from '@signalbox/contract';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../lang/language.ts';
import { NO_SECRET } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given } from '../../testing/test-fetch.ts';
import { KeyForm } from './key-form.tsx';
import { RepositoryForm } from './repository-form.tsx';

const KEYS: Key[] = [
  { id: 4, project_id: 1, name: 'Deploy', type: 'ssh', ...NO_SECRET },
  { id: 5, project_id: 1, name: 'Login', type: 'login_password', ...NO_SECRET },
];
const REPOSITORY: Repository = {
  id: 2,
  project_id: 1,
  name: 'Plays',
  git_url: 'https://git.example/plays.git',
  git_branch: 'main',
  ssh_key_id: 5,
};
const WORKS = { works: true, reason: '', reason_code: null, key: null, branches: ['main', 'next'], took_ms: 420 };
const FAILS = { ...WORKS, works: false, reason: 'git.example does not accept the key.', branches: null };
const FINGERPRINT = { type: 'ED25519', bits: 256, fingerprint: 'SHA256:abc' };

const answering = (test: (path: string, body: unknown) => Given | Promise<Given>) =>
  answerCalls(({ path, body }) => {
    if (path.endsWith('/keys')) return { status: 200, body: KEYS };
    if (path.endsWith('/repositories')) return { status: 200, body: [REPOSITORY] };
    if (path.endsWith('/branches')) return { status: 200, body: ['main', 'saved'] };
    return test(path, body);
  });
const tests = (calls: ReturnType<typeof answering>) =>
  calls.filter(({ path }) => path.endsWith('/test')).map(({ path, body }) => ({ path, body }));
const button = () => screen.getByRole('button', { name: 'Test access' });
const props = { project: 1, mayEdit: true, onClose: () => undefined };

describe('the access test in the form of a repository', () => {
  it('shows that it works, and offers its branches in an unsaved form', async () => {
    const calls = answering(() => ({ status: 200, body: WORKS }));
    const user = userEvent.setup();
    await show(<RepositoryForm {...props} item={undefined} />);
    expect(button()).toHaveProperty('disabled', true);
    await user.type(screen.getByLabelText('URL or path'), 'git@git.example:new.git');
    await user.click(screen.getByRole('combobox', { name: 'Access key' }));
    await user.click(await screen.findByRole('option', { name: 'Deploy' }));
    await user.click(button());
    await screen.findByText('Access works: 2 branches found in 0.4 s.');
    expect(tests(calls)).toEqual([
      { path: '/api/project/1/repositories/test', body: { git_url: 'git@git.example:new.git', ssh_key_id: 4 } },
    ]);
    await user.click(screen.getByRole('combobox', { name: 'Branch' }));
    await user.click(await screen.findByRole('option', { name: 'next' }));
    expect((screen.getByRole('combobox', { name: 'Branch' }) as HTMLInputElement).value).toBe('next');
    // Another address is another way, of which nothing is known.
    await user.type(screen.getByLabelText('URL or path'), 'x');
    expect(screen.queryByText(/Access works/)).toBeNull();
    expect(calls.some(({ path }) => path.endsWith('/branches'))).toBe(false);
  });

  it('shows that the branch of the form is missing, and names the first existing ones', async () => {
    const branches = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6'];
    answering(() => ({ status: 200, body: { ...WORKS, branches } }));
    const user = userEvent.setup();
    await show(<RepositoryForm {...props} item={REPOSITORY} />);
    await user.click(button());
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Access works, but the branch main does not exist. Branches: b1, b2, b3, b4, b5, ….',
    );
    expect(screen.queryByText(/branches found/)).toBeNull();
    const branch = screen.getByRole('combobox', { name: 'Branch' });
    await user.clear(branch);
    await user.type(branch, 'b6');
    expect(await screen.findByText(/Access works: 6 branches/)).toBeTruthy();
  });

  it('shows why access fails, and offers the branches of the saved repository', async () => {
    answering(() => ({ status: 200, body: FAILS }));
    const user = userEvent.setup();
    await show(<RepositoryForm {...props} item={REPOSITORY} />);
    await user.click(button());
    expect((await screen.findByRole('alert')).textContent).toBe('git.example does not accept the key.');
    await user.clear(screen.getByRole('combobox', { name: 'Branch' }));
    expect(await screen.findByRole('option', { name: 'saved' })).toBeTruthy();
  });

  it('shows why access fails in the language of the console', async () => {
    const params = { repository: 'https://git.example/plays.git', host: 'git.example' };
    const reason_code = { code: 'conflict.runner_answer', params: { reason: { code: 'git.key_refused', params } } };
    answering(() => ({ status: 200, body: { ...FAILS, reason_code } }));
    const user = userEvent.setup();
    await show(<RepositoryForm {...props} item={REPOSITORY} />);
    await act(() => chooseLanguage('de'));
    await user.click(screen.getByRole('button', { name: 'Zugang testen' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'git.example akzeptiert den Schlüssel des Repositorys nicht.',
    );
    await act(() => chooseLanguage('en'));
  });

  it('is busy while a runner tests, shows when no runner is connected, and is hidden from read-only members', async () => {
    const { promise, resolve } = Promise.withResolvers<Given>();
    answering(() => promise);
    const user = userEvent.setup();
    const shown = await show(<RepositoryForm {...props} item={REPOSITORY} />);
    await user.click(button());
    expect(screen.getByRole('button', { name: 'Testing access …' })).toHaveProperty('disabled', true);
    resolve({ status: 503, body: { error: 'No runner is connected.' } });
    expect((await screen.findByRole('alert')).textContent).toBe('No runner is connected.');
    shown.unmount();
    await show(<RepositoryForm {...props} item={REPOSITORY} mayEdit={false} />);
    expect(screen.queryByRole('button', { name: 'Test access' })).toBeNull();
  });
});

describe('the access test in the form of a key', () => {
  it('tests a saved SSH key alone, and shows its fingerprint', async () => {
    const calls = answering(() => ({ status: 200, body: { ...WORKS, key: FINGERPRINT, branches: null } }));
    const user = userEvent.setup();
    await show(<KeyForm {...props} item={KEYS[0]} />);
    await user.click(button());
    await screen.findByText('ED25519 256 SHA256:abc');
    expect(screen.getByText('The key can be opened. No host or repository was contacted.')).toBeTruthy();
    expect(screen.queryByText(/Access works/)).toBeNull();
    expect(tests(calls)).toEqual([{ path: '/api/project/1/keys/4/test', body: { repository_id: null } }]);
  });

  it('tests an unsaved login and password with a repository', async () => {
    const calls = answering(() => ({ status: 200, body: WORKS }));
    const user = userEvent.setup();
    await show(<KeyForm {...props} item={KEYS[1]} />);
    expect(button()).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('combobox', { name: 'Repository to test with' }));
    await user.click(await screen.findByRole('option', { name: 'Plays' }));
    await waitFor(() => expect(button()).toHaveProperty('disabled', false));
    await user.click(screen.getByLabelText(/Replace the secret/));
    expect(button()).toHaveProperty('disabled', true);
    await user.type(screen.getByLabelText('Password'), 'typed');
    await user.click(button());
    await screen.findByText(/Access works/);
    expect(tests(calls)).toEqual([
      {
        path: '/api/project/1/keys/test',
        body: { type: 'login_password', login_password: { login: '', password: 'typed' }, repository_id: 2 },
      },
    ]);
  });
});
