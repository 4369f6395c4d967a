import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { answerCalls, type Given } from '../../../testing/test-fetch.ts';
import { EditViewsDialog } from './edit-views-dialog.tsx';

const VIEWS = [
  { id: 1, project_id: 1, title: 'Build', position: 0 },
  { id: 2, project_id: 1, title: 'Deploy', position: 1 },
  { id: 3, project_id: 1, title: 'Tools', position: 2 },
];

const showViews = async (refusal?: Given) => {
  const calls = answerCalls(({ method, path }) => {
    if (method === 'GET') return { status: 200, body: VIEWS };
    if (refusal) return refusal;
    if (method === 'POST' && path.endsWith('/views')) {
      return { status: 201, body: { id: 9, project_id: 1, title: 'Night', position: 3 } };
    }
    return { status: 204 };
  });
  const closed: string[] = [];
  await show(<EditViewsDialog project={1} onClose={() => closed.push('closed')} />);
  await screen.findByRole('dialog', { name: 'Edit views' });
  const changes = () =>
    calls
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, body }) => [`${method} ${path.replace('/api/project/1/', '')}`, body]);
  const fields = () => screen.getAllByRole<HTMLInputElement>('textbox', { name: 'Title of the view' });
  return { changes, closed, fields, titles: () => fields().map(({ value }) => value), user: userEvent.setup() };
};

const button = (name: string) => screen.queryByRole('button', { name });

describe('the dialog that edits views', () => {
  it('offers to save and to cancel when a row has the focus', async () => {
    const { changes, fields, titles, user } = await showViews();
    expect(button('Save Build')).toBeNull();
    await user.click(fields()[0] as HTMLElement);
    expect(button('Save Build')).toHaveProperty('disabled', true);
    await user.type(fields()[0] as HTMLElement, 's');
    await user.click(button('Reset to Build') as HTMLElement);
    expect(titles()).toEqual(['Build', 'Deploy', 'Tools']);
    expect(button('Save Build')).toBeNull();
    expect(changes()).toEqual([]);
  });

  it('cancels only the change of a row when Esc is pressed in the row', async () => {
    const { closed, fields, titles, user } = await showViews();
    await user.type(fields()[0] as HTMLElement, 's{Escape}');
    expect(titles()).toEqual(['Build', 'Deploy', 'Tools']);
    expect([closed, screen.queryByText('Your changes will be lost.')]).toEqual([[], null]);
  });

  it('saves a changed title, but not an empty one', async () => {
    const { changes, fields, user } = await showViews();
    await user.clear(fields()[1] as HTMLElement);
    expect(button('Save')).toHaveProperty('disabled', true);
    await user.type(fields()[1] as HTMLElement, 'Releases');
    await user.click(button('Save Releases') as HTMLElement);
    await waitFor(() => expect(changes()).toEqual([['PUT views/2', { title: 'Releases', position: 1 }]]));
  });

  it('creates a view once, however often Enter is pressed', async () => {
    const { changes, fields, user } = await showViews();
    await user.click(button('New view') as HTMLElement);
    await user.type(fields()[3] as HTMLElement, 'Night');
    fireEvent.keyDown(fields()[3] as HTMLElement, { key: 'Enter' });
    await waitFor(() => expect(changes()).toHaveLength(1));
    fireEvent.keyDown(fields()[3] as HTMLElement, { key: 'Enter' });
    await waitFor(() => expect(button('Save Night')).toBeNull());
    expect(changes()).toEqual([['POST views', { title: 'Night', position: 3 }]]);
  });

  it('asks before it discards an unsaved title', async () => {
    const { closed, fields, user } = await showViews();
    await user.click(button('New view') as HTMLElement);
    await user.type(fields()[3] as HTMLElement, 'Night');
    await user.keyboard('{Escape}');
    expect(screen.getByText('Your changes will be lost.')).toBeTruthy();
    expect(closed).toEqual([]);
    await user.click(button('Discard') as HTMLElement);
    expect(closed).toEqual(['closed']);
  });

  it('creates a new row when it is saved; it can only be removed before', async () => {
    const { changes, fields, user } = await showViews();
    await user.click(button('New view') as HTMLElement);
    expect(fields()).toHaveLength(4);
    expect(button('Back to')).toBeNull();
    await user.type(fields()[3] as HTMLElement, 'Night{Enter}');
    await waitFor(() => expect(changes()).toEqual([['POST views', { title: 'Night', position: 3 }]]));
    await user.click(button('New view') as HTMLElement);
    await user.click(button('Remove') as HTMLElement);
    expect(fields()).toHaveLength(4);
    expect(changes()).toHaveLength(1);
  });

  it('removes a view after a confirmation that names it', async () => {
    const { changes, closed, titles, user } = await showViews();
    await user.click(button('Remove Deploy') as HTMLElement);
    expect(screen.getByRole('alert').textContent).toBe('Delete the view Deploy? Its templates are kept.');
    expect(document.activeElement).toBe(button('Cancel'));
    await user.keyboard('{Escape}');
    expect(titles()).toEqual(['Build', 'Deploy', 'Tools']);
    expect(document.activeElement).toBe(button('Remove Deploy'));
    expect([changes(), closed]).toEqual([[], []]);
    await user.click(button('Remove Deploy') as HTMLElement);
    await user.click(button('Delete') as HTMLElement);
    await waitFor(() => expect(titles()).toEqual(['Build', 'Tools']));
    expect(changes()).toEqual([['DELETE views/2', undefined]]);
  });

  it('sends the changed positions when a button moves a row, and keeps the focus on the row', async () => {
    const { changes, titles, user } = await showViews();
    const up = button('Move Deploy up') as HTMLElement;
    await user.click(up);
    expect(titles()).toEqual(['Deploy', 'Build', 'Tools']);
    await waitFor(() => expect(changes()).toEqual([['POST views/positions', { 1: 1, 2: 0 }]]));
    expect(document.activeElement).toBe(button('Move Deploy up'));
    expect(button('Move Deploy up')?.getAttribute('aria-disabled')).toBe('true');
    await user.keyboard('{Enter}');
    expect(titles()).toEqual(['Deploy', 'Build', 'Tools']);
    expect(changes()).toHaveLength(1);
  });

  it('sends the changed positions when a row is dragged', async () => {
    const { changes, titles } = await showViews();
    const rows = screen.getAllByRole('listitem');
    fireEvent.dragStart(rows[2]?.querySelector('[draggable]') as HTMLElement);
    fireEvent.drop(rows[0] as HTMLElement);
    expect(titles()).toEqual(['Tools', 'Build', 'Deploy']);
    await waitFor(() => expect(changes()).toEqual([['POST views/positions', { 1: 1, 2: 2, 3: 0 }]]));
  });

  it('shows the error of the server', async () => {
    const { user } = await showViews({ status: 409, body: { error: 'This title is taken.' } });
    await user.click(button('Remove Deploy') as HTMLElement);
    await user.click(button('Delete') as HTMLElement);
    expect(await screen.findByText('This title is taken.')).toBeTruthy();
  });
});
