import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sampleTemplate, sampleVariable } from '../../../testing/sample.ts';
import { showDialog } from '../testing/show-dialog.tsx';

describe('the new task dialog of a user with a grant', () => {
  it('starts tasks without the right of a role, and shows what the grants fix', async () => {
    const limits = [
      { inventory_id: null, limit: 'staging', answers: '{"size":"5","dry":true,"zones":["a","b"]}' },
      { inventory_id: null, limit: 'test', answers: '{}' },
    ];
    const granted = [{ template_id: 6, rights: ['see', 'run'], limits }];
    const survey_vars = [
      sampleVariable({ name: 'size', title: 'Size', type: 'enum', values: [{ value: '5', name: 'Small' }] }),
      sampleVariable({ name: 'dry', title: 'Dry', type: 'bool' }),
      sampleVariable({ name: 'zones', title: '', type: 'multiple', values: [{ value: 'a', name: 'A' }] }),
    ];
    await showDialog({ template: sampleTemplate({ id: 6, inventory_id: 1, survey_vars }), permissions: 0, granted });
    expect(
      await screen.findByText(
        'A grant lets you run this only with: hosts staging, Size: Small, Dry: Yes, and zones: A and b or hosts test.',
      ),
    ).toBeTruthy();
    expect(await screen.findByRole('button', { name: /^Run/ })).toBeTruthy();
  });

  const template = sampleTemplate({
    ...{ id: 6, inventory_id: 9, prompts: { ...sampleTemplate().prompts, limit: 'any', inventory_id: 'any' } },
    survey_vars: [
      sampleVariable({ name: 'size', title: 'Size', type: 'int' }),
      sampleVariable({ name: 'note', title: 'Note' }),
    ],
  });

  it('shows and sends what the grant fixes, and offers no change of it', async () => {
    const limits = [{ inventory_id: 1, limit: 'api', answers: '{"size":5}' }];
    const { user, posts } = await showDialog({
      ...{ template, permissions: 0, again: 77 },
      granted: [{ template_id: 6, rights: ['see', 'run'], limits }],
    });
    expect(await screen.findByText('1 of 3 hosts', { selector: 'b span' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Limit to hosts|^Inventory/ })).toBeNull();
    expect(screen.getByText(/api/, { selector: 'aside p span' })).toBeTruthy();
    const size = screen.getByLabelText<HTMLInputElement>(/^Size/);
    expect([size.value, size.matches(':disabled')]).toEqual(['5', true]);
    expect(screen.getByText('Fixed by a grant')).toBeTruthy();
    expect(screen.getByLabelText(/^Note/).matches(':disabled')).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Run on 1 host' }));
    await waitFor(() => expect(posts()).toHaveLength(1));
    expect(posts()[0]?.body).toMatchObject({ inventory_id: 1, limit: 'api', environment: '{"size":5}' });
  });

  it('follows the grant that the user chooses of several', async () => {
    const limits = [
      { inventory_id: 1, limit: 'api', answers: '{}' },
      { inventory_id: 1, limit: '', answers: '{"size":7}' },
    ];
    const granted = [{ template_id: 6, rights: ['see', 'run'], limits }];
    const { user, posts } = await showDialog({ template, permissions: 0, granted });
    expect(await screen.findByRole('button', { name: 'Run on 1 host' })).toBeTruthy();
    await user.type(screen.getByLabelText(/^Note/), 'kept');
    await user.click(screen.getByRole('combobox', { name: 'Run with' }));
    await user.click(screen.getByRole('option', { name: /Size: 7/ }));
    expect(screen.getByLabelText<HTMLInputElement>(/^Size/).value).toBe('7');
    await user.click(await screen.findByRole('button', { name: 'Run on 3 hosts' }));
    await waitFor(() => expect(posts()).toHaveLength(1));
    expect(posts()[0]?.body).toMatchObject({ limit: '', environment: '{"size":7,"note":"kept"}' });
  });

  it('starts none that only the role would permit', async () => {
    const granted = [{ template_id: 6, restricted: true, rights: ['see'], limits: [] }];
    await showDialog({ template: sampleTemplate({ id: 6, inventory_id: 1 }), permissions: 5, granted });
    expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull();
  });
});
