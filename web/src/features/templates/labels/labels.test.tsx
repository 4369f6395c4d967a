import type { Label, Template } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { sampleTask, sampleTemplate } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { TestState } from '../../../testing/use-test-state.tsx';
import { TemplatesPage } from '../templates-page.tsx';
import type { TemplatesState } from '../templates-state.ts';
import { LabelFilter } from './label-filter.tsx';

const LABELS: Label[] = [
  { id: 1, project_id: 1, name: 'prod', colour: 'brick' },
  { id: 2, project_id: 1, name: 'web', colour: 'teal' },
];
const TEMPLATES: Template[] = [
  sampleTemplate({ id: 1, name: 'Alpha', labels: [1, 2] }),
  sampleTemplate({ id: 2, name: 'Beta', labels: [2] }),
  sampleTemplate({ id: 3, name: 'Gamma', labels: [] }),
];

const showPage = async (start: TemplatesState = {}, permissions = 5) => {
  const calls = answerCalls(({ method, path }) => {
    if (method !== 'GET') return method === 'POST' ? { status: 201, body: LABELS[0] } : { status: 204 };
    if (path.endsWith('/labels')) return { status: 200, body: LABELS };
    if (path.endsWith('/templates')) return { status: 200, body: TEMPLATES };
    if (path.endsWith('/project/1/tasks')) return { status: 200, body: [sampleTask()] };
    if (path.endsWith('/role')) return { status: 200, body: { role: 'manager', permissions } };
    return { status: 200, body: [] };
  });
  const states: TemplatesState[] = [];
  await show(
    <TestState start={start} onChange={(state) => states.push(state)}>
      {(state, onState) => <TemplatesPage project={1} view={undefined} state={state} onState={onState} />}
    </TestState>,
  );
  await screen.findByRole('link', { name: 'Alpha' });
  const changes = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [`${method} ${path}`, body]);
  return { changes, states, user: userEvent.setup() };
};

const names = () => screen.getAllByRole('link', { name: /^(Alpha|Beta|Gamma)$/ }).map(({ textContent }) => textContent);
const filter = async (name: RegExp) =>
  within(await screen.findByRole('group', { name: 'Labels' })).getByRole('button', { name });

describe('labels in the template list', () => {
  it('are shown with each template, and filter the list by the URL', async () => {
    const { user, states } = await showPage();
    const row = screen.getByRole('link', { name: 'Alpha' }).closest('tr') as HTMLElement;
    await waitFor(() => expect(within(row).getByTitle('prod')).toBeTruthy());
    await user.click(await filter(/web/));
    expect(states.at(-1)).toEqual({ label: 2 });
    await waitFor(() => expect(names()).toEqual(['Alpha', 'Beta']));
    await user.click(await filter(/web/));
    await waitFor(() => expect(names()).toEqual(['Alpha', 'Beta', 'Gamma']));
  });

  it('are folded if there are many, except those with the most templates and the chosen one', async () => {
    const user = userEvent.setup();
    const labels = Array.from({ length: 14 }, (_, n) => ({ ...(LABELS[0] as Label), id: n + 1, name: `l${n + 1}` }));
    const templates = labels.map(({ id }) => sampleTemplate({ id, labels: id > 3 ? [id, 3] : [id] }));
    await show(
      <LabelFilter labels={labels} templates={templates} chosen={14} isGrouped={false} onState={() => undefined} />,
    );
    const shown = () => screen.getAllByTitle(/^l\d+$/).map(({ title }) => title);
    expect(shown()).toEqual(['l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7', 'l8', 'l9', 'l10', 'l14']);
    await user.click(screen.getByRole('button', { name: 'All 14 labels' }));
    expect(shown()).toHaveLength(14);
    await user.click(screen.getByRole('button', { name: 'Fewer labels' }));
    expect(shown()).toHaveLength(11);
  });

  it('group the list, with templates without labels at the end', async () => {
    const { user } = await showPage();
    await user.click(await filter(/Group by label/));
    await waitFor(() => expect(names()).toEqual(['Alpha', 'Alpha', 'Beta', 'Gamma']));
    const heads = [...document.querySelectorAll('th[scope="colgroup"]')].map(({ textContent }) => textContent);
    expect(heads).toEqual(['prod', 'web', 'Without label']);
  });

  it('are created, changed and deleted in a dialog by users who may change resources', async () => {
    const { user, changes } = await showPage();
    await user.click(await screen.findByRole('button', { name: 'Edit labels' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit labels' }));
    const [first, , last] = dialog.getAllByRole('textbox', { name: 'Name of the label' });
    await user.type(first as HTMLElement, 'uction{Enter}');
    await user.type(last as HTMLElement, 'night');
    await user.click(dialog.getAllByRole('radio', { name: 'Violet' }).at(-1) as HTMLElement);
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    await user.click(dialog.getByRole('button', { name: 'Delete web' }));
    expect(dialog.getByRole('alert').textContent).toContain('Its templates are kept.');
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() =>
      expect(changes()).toEqual([
        ['PUT /api/project/1/labels/1', { name: 'production', colour: 'brick' }],
        ['POST /api/project/1/labels', { name: 'night', colour: 'violet' }],
        ['DELETE /api/project/1/labels/2', undefined],
      ]),
    );
  });

  it('cannot be edited by users who may only run tasks', async () => {
    await showPage({}, 1);
    expect(screen.queryByRole('button', { name: 'Edit labels' })).toBeNull();
  });
});
