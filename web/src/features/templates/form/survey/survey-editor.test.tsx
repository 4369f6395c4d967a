import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { sampleVariable } from '../../../../testing/sample.ts';
import { show } from '../../../../testing/show.tsx';
import { SurveyEditor } from './survey-editor.tsx';
import type { SurveyErrors, SurveyRow } from './survey-rows.ts';

const ROWS: SurveyRow[] = [
  { ...sampleVariable({ name: 'strategy', title: 'Strategy', type: 'bool' }), key: 0 },
  { ...sampleVariable({ name: 'hosts', title: 'Hosts' }), key: 1 },
];

interface EditorProps {
  errors: SurveyErrors;
  /** Called with the rows of each render. */
  onRows: (rows: readonly SurveyRow[]) => void;
}

const Editor = ({ errors, onRows }: EditorProps) => {
  const [rows, setRows] = useState<readonly SurveyRow[]>(ROWS);
  onRows(rows);
  return (
    <SurveyEditor rows={rows} builds={[{ id: 7, name: 'Build' }]} onChange={setRows} error={null} errors={errors} />
  );
};

const showEditor = async (errors: SurveyErrors = {}) => {
  let shown: readonly SurveyRow[] = ROWS;
  await show(
    <Editor
      errors={errors}
      onRows={(rows) => {
        shown = rows;
      }}
    />,
  );
  const rows = () => screen.getAllByRole('listitem').map((item) => within(item));
  return { rows, now: () => shown, names: () => shown.map(({ name }) => name), user: userEvent.setup() };
};

const button = (name: string) => screen.getByRole('button', { name });

describe('the editor of a survey', () => {
  it('moves variables by buttons and by dragging', async () => {
    const { names, user } = await showEditor();
    await user.click(button('Move Hosts up'));
    expect(names()).toEqual(['hosts', 'strategy']);
    expect(document.activeElement).toBe(button('Move Hosts up'));
    await user.click(button('Move Hosts up'));
    expect(names()).toEqual(['hosts', 'strategy']);
    const [first, second] = screen.getAllByRole('listitem');
    fireEvent.dragStart(second?.querySelector('[draggable]') as HTMLElement);
    fireEvent.drop(first as HTMLElement);
    expect(names()).toEqual(['strategy', 'hosts']);
  });

  it('has inputs for the choices, limits and default that a type has', async () => {
    const { rows, now, user } = await showEditor();
    const hosts = () => rows()[1] as ReturnType<typeof within>;
    await user.click(hosts().getByRole('button', { name: 'More options' }));
    await user.type(hosts().getByLabelText('Maximum length'), '9');
    await user.type(hosts().getByLabelText('Pattern (regular expression)'), '.*');
    expect(now()[1]).toMatchObject({ max: 9, pattern: '.*' });
    await user.click(hosts().getByRole('combobox', { name: 'Type' }));
    await user.click(await screen.findByRole('option', { name: 'Several choices' }));
    expect(hosts().queryByLabelText('Pattern (regular expression)')).toBeNull();
    await user.click(button('Add a choice'));
    await user.type(hosts().getByLabelText('Value'), 'fra');
    await user.type(hosts().getByLabelText('Shown as (optional)'), 'Frankfurt');
    expect(now()[1]).toMatchObject({ type: 'multiple', values: [{ name: 'Frankfurt', value: 'fra' }] });
    await user.click(button('Remove the choice Frankfurt'));
    expect(now()[1]?.values).toEqual([]);
  });

  it('takes choices from a source instead of a list', async () => {
    const { rows, now, user } = await showEditor();
    const hosts = () => rows()[1] as ReturnType<typeof within>;
    const choose = async (label: string, option: string) => {
      await user.click(hosts().getByRole('combobox', { name: label }));
      await user.click(await screen.findByRole('option', { name: option }));
    };
    await choose('Type', 'Choice');
    await choose('Choices from', 'Versions of a build template');
    await choose('Build template', 'Build');
    expect(now()[1]?.source).toMatchObject({ type: 'versions', template_id: 7 });
    expect(screen.queryByRole('button', { name: 'Add a choice' })).toBeNull();
    await choose('Choices from', 'A list here');
    expect(now()[1]?.source).toBeNull();
    expect(button('Add a choice')).toBeTruthy();
  });

  it('lets a variable depend on an earlier one', async () => {
    const { rows, now, user } = await showEditor();
    for (const row of rows()) await user.click(row.getByRole('button', { name: 'More options' }));
    expect(rows()[0]?.queryByRole('combobox', { name: 'Ask only if' })).toBeNull();
    await user.click(rows()[1]?.getByRole('combobox', { name: 'Ask only if' }) as HTMLElement);
    await user.click(await screen.findByRole('option', { name: 'Strategy' }));
    await user.click(rows()[1]?.getByRole('checkbox', { name: 'Yes' }) as HTMLElement);
    expect(now()[1]?.show_when).toEqual({ variable: 'strategy', values: ['true'] });
  });

  it('shows the errors of the server at their inputs, which it opens', async () => {
    await showEditor({ 'survey_vars.1.pattern': 'is too complex' });
    expect(screen.getByText('is too complex')).toBeTruthy();
    expect(screen.getAllByLabelText('Pattern (regular expression)')).toHaveLength(1);
  });
});
