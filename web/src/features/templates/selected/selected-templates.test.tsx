import type { SelectionOutcome } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { sampleTemplate } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { TestState } from '../../../testing/use-test-state.tsx';
import { closeToast, currentToast } from '../../../ui/toast/toast-store.ts';
import { TemplatesPage } from '../templates-page.tsx';

const TEMPLATES = ['Apply', 'Build', 'Clean', 'Deploy'].map((name, at) => sampleTemplate({ id: at + 1, name }));

const showTemplates = async (permissions: number, outcome: SelectionOutcome = { done: [1, 2, 3], refused: [] }) => {
  closeToast();
  const answers: Record<string, unknown> = {
    '/api/project/1/templates': TEMPLATES,
    '/api/project/1/role': { role: 'manager', permissions, templates: [] },
    '/api/project/1/labels': [{ id: 5, project_id: 1, name: 'web', colour: 'teal' }],
    '/api/project/1/inventory': [{ id: 6, name: 'Frankfurt' }],
  };
  const calls = answerCalls(({ method, path }) => ({
    status: 200,
    body: method === 'GET' ? (answers[path] ?? []) : outcome,
  }));
  await show(
    <TestState start={{}}>
      {(state, onState) => <TemplatesPage project={1} view={undefined} state={state} onState={onState} />}
    </TestState>,
  );
  const posts = () => calls.flatMap(({ method, path, body }) => (method === 'POST' ? [[path, body]] : []));
  const user = userEvent.setup();
  const selectThree = async () => {
    await user.click(await screen.findByRole('checkbox', { name: 'Select Apply' }));
    await user.keyboard('{Shift>}');
    await user.click(screen.getByRole('checkbox', { name: 'Select Clean' }));
    await user.keyboard('{/Shift}');
    return within(await screen.findByRole('toolbar'));
  };
  return { posts, user, selectThree };
};
const PATH = '/api/project/1/templates/selected';

describe('the selected templates', () => {
  it('are run and copied with one call each', async () => {
    const { posts, user, selectThree } = await showTemplates(5);
    const bar = await selectThree();
    expect(bar.getByText('3 selected')).toBeTruthy();
    await user.click(bar.getByRole('button', { name: 'Run' }));
    await waitFor(() => expect(currentToast()?.text).toBe('3 tasks started'));
    expect(screen.queryByRole('toolbar')).toBeNull();
    await user.click((await selectThree()).getByRole('button', { name: 'Copy' }));
    await waitFor(() =>
      expect(posts()).toEqual([
        [`${PATH}/run`, { ids: [1, 2, 3] }],
        [`${PATH}/copy`, { ids: [1, 2, 3], suffix: ' (copy)' }],
      ]),
    );
  });

  it('get a label and another inventory in a dialog', async () => {
    const { posts, user, selectThree } = await showTemplates(5);
    await user.click((await selectThree()).getByRole('button', { name: 'Change' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Change templates/ }));
    await user.click(dialog.getByRole('button', { name: 'Apply' }));
    expect(await dialog.findByText('Choose at least one change.')).toBeTruthy();
    for (const [field, choice] of [
      ['Add label', 'web'],
      ['Inventory', 'Frankfurt'],
      ['Move to view', 'No view'],
    ] as const) {
      await user.click(dialog.getByLabelText(field, { selector: 'input' }));
      await user.click(await screen.findByRole('option', { name: choice }));
    }
    await user.click(dialog.getByRole('button', { name: 'Apply' }));
    const change = { add_labels: [5], inventory_id: 6, view_id: null };
    await waitFor(() => expect(posts()).toEqual([[`${PATH}/change`, { ids: [1, 2, 3], ...change }]]));
  });

  it('are deleted after a confirmation, and each that was refused is named with the reason', async () => {
    const refused = [
      { id: 2, error: 'x', code: 'in_use.template', params: {} },
      {
        ...{ id: 3, error: 'environment.region is required.', code: 'bad_input', params: {} },
        fields: { 'environment.region': 'is required' },
        field_codes: { 'environment.region': { code: 'answer.required' } },
      },
    ];
    const { posts, user, selectThree } = await showTemplates(5, { done: [1], refused });
    await user.click((await selectThree()).getByRole('button', { name: 'Delete' }));
    const ask = within(await screen.findByRole('dialog', { name: /Delete templates/ }));
    await user.click(ask.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(posts()).toEqual([[`${PATH}/delete`, { ids: [1, 2, 3] }]]));
    const dialog = within(await screen.findByRole('dialog', { name: /Not possible for 2/ }));
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent?.slice(0, 5))).toEqual([
      'Build',
      'Clean',
    ]);
    expect(dialog.getByText(/region/)).toBeTruthy();
  });

  it('can only be run by task runners, and guests select none', async () => {
    const { selectThree } = await showTemplates(1);
    const buttons = (await selectThree())
      .getAllByRole('button')
      .map(({ textContent, ariaLabel }) => textContent || ariaLabel);
    expect(buttons).toEqual(['Run', 'Clear selection']);
    const guest = await showTemplates(0);
    expect(await screen.findAllByRole('link', { name: 'Apply' })).toBeTruthy();
    expect(guest.posts()).toEqual([]);
  });
});
