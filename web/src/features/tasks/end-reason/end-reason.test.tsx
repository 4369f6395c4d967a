import type { EndReason } from '@signalbox/contract';
import { act, cleanup, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../../lang/language.ts';
import { showTask } from '../show-task.testing.tsx';

describe('the end reason of a task', () => {
  it('is the first thing shown for a task that failed before any host, with what to do', async () => {
    const { addresses, user } = await showTask({
      task: {
        status: 'error',
        end_reason: { code: 'playbook.missing', params: { path: 'certs/renew.yml' }, text: '' },
      },
      lines: ['Checked out', 'The playbook certs/renew.yml is not in the repository.'],
      permissions: 5,
    });
    await screen.findByRole('heading', { name: 'Playbook certs/renew.yml is not in the repository' });
    expect(screen.getByText(/^before any host, after/)).toBeTruthy();
    expect(document.querySelector('[data-end-reason="playbook.missing"]')?.textContent).toBe(
      'Playbook certs/renew.yml is not in the repository',
    );
    expect(screen.getByText(/Correct the template.*No host was contacted/)).toBeTruthy();
    const href = (await screen.findByRole('link', { name: 'Edit template' })).getAttribute('href');
    expect(href).toBe('/project/1/templates/1/edit?field=playbook');
    await user.click(screen.getByRole('button', { name: 'Open log at line 2' }));
    expect(addresses).toEqual([{ tab: 'log', line: 2 }]);
  });

  it.each<[string, EndReason | null, string, string]>([
    [
      'a branch',
      { code: 'git.branch_missing', params: { repository: 'ssh://git@host/infra', branch: 'release' } },
      'Branch “release” is not in ssh://git@host/infra',
      'Edit repository',
    ],
    [
      'a key',
      { code: 'key.damaged', params: { key_id: null, key_name: '' } },
      "The SSH key can't be used: it is damaged, or its passphrase is not stored with it",
      'Open Key Store',
    ],
    [
      'a requirement',
      {
        code: 'requirements.refused',
        params: { file: 'roles/requirements.yml', requirement: 'a.b', detail: 'no file' },
      },
      'Requirement a.b in roles/requirements.yml is not allowed',
      '',
    ],
    [
      'an error in a file',
      { code: 'playbook.invalid', params: { file: 'site.yml', line: 14, column: 17, detail: 'mapping values' } },
      'site.yml has an error in line 14, column 17',
      '',
    ],
    ['nothing that is known', null, 'The task failed', ''],
  ])('names %s as the reason', async (_, reason, text, button) => {
    await showTask({
      task: { status: 'error', end_reason: reason && { ...reason, text: '' } },
      lines: ['one'],
      permissions: 5,
    });
    expect(await screen.findByRole('heading', { name: text })).toBeTruthy();
    if (reason && 'detail' in reason.params) expect(screen.getByText(reason.params.detail)).toBeTruthy();
    if (button !== '') expect(await screen.findByRole('link', { name: button })).toBeTruthy();
  });

  it('links from a key that cannot be used to the form of the key, in the language of the console', async () => {
    const params = { key_id: 7, key_name: 'Web hosts' };
    const end_reason = { code: 'key.passphrase_wrong', params, text: '' } as const;
    await showTask({ task: { status: 'error', end_reason }, permissions: 5 });
    await screen.findByRole('heading', { name: /^The SSH key Web hosts can't be used: the passphrase is wrong/ });
    expect((await screen.findByRole('link', { name: 'Edit key' })).getAttribute('href')).toBe('/project/1/keys?edit=7');
    await act(() => chooseLanguage('de'));
    const german = { name: /^Der SSH-Schlüssel Web hosts ist nicht verwendbar: Die Passphrase ist falsch/ };
    await screen.findByRole('heading', german).finally(() => chooseLanguage('en'));
  });

  it('has its detail in the language of the console, unless another program or an older runner wrote it', async () => {
    const params = { file: 'requirements.yml', requirement: 'a.b', detail: 'its src begins with a dash' };
    const coded = { ...params, detail_code: 'field_dash', detail_value: 'src' } as const;
    await act(() => chooseLanguage('de'));
    try {
      await showTask({
        task: { status: 'error', end_reason: { code: 'requirements.refused', params: coded, text: '' } },
      });
      expect(await screen.findByText('der Wert von „src“ beginnt mit einem Bindestrich')).toBeTruthy();
      cleanup();
      await showTask({ task: { status: 'error', end_reason: { code: 'requirements.refused', params, text: '' } } });
      expect(await screen.findByText(params.detail)).toBeTruthy();
    } finally {
      await act(() => chooseLanguage('en'));
    }
  });

  it('is shown in the head of the task, with the button, where the summary does not show it', async () => {
    const reason = { code: 'ansible.refused', params: { detail: 'no such option' }, text: '' } as const;
    const missing = { code: 'inventory.missing', params: { path: 'hosts.ini' }, text: '' } as const;
    await showTask({ task: { status: 'error', end_reason: missing }, permissions: 5, props: { tab: 'log' } });
    expect(await screen.findByText('Inventory file hosts.ini is not in the repository')).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'Edit inventory' })).toBeTruthy();
    cleanup();
    await showTask({ task: { status: 'error', end_reason: reason }, props: { tab: 'log' } });
    expect(await screen.findByText('Ansible refused to run the playbook: no such option')).toBeTruthy();
    cleanup();
    const unknown = { code: 'of.tomorrow', params: {}, text: 'Something new happened' } as unknown as typeof reason;
    await showTask({ task: { status: 'error', end_reason: unknown }, props: { tab: 'log' } });
    expect(await screen.findByText('Something new happened')).toBeTruthy();
  });

  it('shows a missing module with the line of the log, and to add its collection to the requirements', async () => {
    const params = { module: 'a.b.c', file: 'site.yml', line: 4 };
    const { addresses, user } = await showTask({
      task: { status: 'error', end_reason: { code: 'playbook.module_missing', params, text: '' } },
      lines: [
        "ERROR! couldn't resolve module/action 'a.b.c'. This often indicates",
        '',
        '    - a.b.c:',
        '      ^ here',
      ],
    });
    await screen.findByRole('heading', { name: /^Module a\.b\.c was not found: .*\(site\.yml, line 4\)$/ });
    expect(screen.getByText(/^Add its collection to requirements\.yml in the repository/)).toBeTruthy();
    expect(screen.getByText(/No host was contacted/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Open log at line 1' }));
    expect(addresses).toEqual([{ tab: 'log', line: 1 }]);
  });

  it('does not claim that no host was contacted if a file that a step included has the error', async () => {
    const params = { module: 'a.b.c', file: 'tasks.yml', line: 1 };
    await showTask({
      task: { status: 'error', end_reason: { code: 'playbook.module_missing', params, text: '' } },
      records: [
        { kind: 'play', at: 1, line: 1, play: 1, name: 'Web', hosts: 1 },
        { kind: 'step', at: 1, line: 1, step: 1, play: 1, name: 'Copy', action: 'copy', handler: false },
        { kind: 'host', at: 1, line: 1, step: 1, host: 'web1', result: 'changed', message: '' },
      ],
    });
    await screen.findByRole('heading', { name: /^Module a\.b\.c was not found/ });
    expect(screen.getByText(/^Add its collection/).textContent).not.toContain('No host was contacted');
  });

  it('offers no edit button to members without the permission', async () => {
    await showTask({
      task: { status: 'error', end_reason: { code: 'playbook.missing', params: { path: 'a.yml' }, text: '' } },
      permissions: 1,
    });
    await screen.findByRole('heading', { name: 'Playbook a.yml is not in the repository' });
    expect(screen.queryByRole('link', { name: 'Edit template' })).toBeNull();
  });
});
