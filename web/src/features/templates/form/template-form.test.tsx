import type { Schedule, Template } from '@signalbox/contract';
import { QueryClient } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { queryKey } from '../../../api/keys.ts';
import { sampleSchedule, sampleTemplate, sampleVariable } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls, type Given, type Made } from '../../../testing/test-fetch.ts';
import { closeToast, currentToast } from '../../../ui/toast/toast-store.ts';
import { TemplateFormDialog } from './template-form-dialog.tsx';

const schedule = (id: number, cron_format: string): Schedule =>
  sampleSchedule({ id, template_id: 1, cron_format, next_times: ['2026-12-01T04:00:00.000Z'] });

interface Options {
  template?: number | 'new';
  copy?: number;
  stored?: Template;
  schedules?: Schedule[];
  answer?: (made: Made) => Given | undefined;
  client?: QueryClient;
  focus?: 'playbook';
}

const showForm = async ({
  template = 1,
  copy,
  stored = sampleTemplate(),
  schedules = [],
  answer,
  client,
  focus,
}: Options = {}) => {
  closeToast();
  const answers: Record<string, unknown> = {
    '/api/project/1/templates/1': stored,
    '/api/project/1/templates/1/schedules': schedules,
    '/api/project/1/templates': [stored, sampleTemplate({ id: 2, name: 'Build shop', type: 'build' })],
    '/api/project/1/inventory': [{ id: 1, name: 'Frankfurt' }],
    '/api/project/1/environment': [{ id: 1, name: 'Production' }],
    '/api/project/1/repositories': [{ id: 1, name: 'Plays' }],
  };
  const calls = answerCalls((made) => {
    const given = answer?.(made);
    if (given) return given;
    if (made.method === 'POST' && made.path === '/api/project/1/templates') return { status: 201, body: { id: 12 } };
    if (made.method !== 'GET') return { status: 204 };
    return { status: 200, body: answers[made.path] ?? [] };
  });
  const saved: number[] = [];
  await show(
    <TemplateFormDialog
      project={1}
      template={template}
      copy={copy}
      focus={focus}
      onClose={() => undefined}
      onSaved={(id) => saved.push(id)}
    />,
    client ? { client } : {},
  );
  // The dialog that waits for the template is replaced by another one.
  await screen.findByRole('button', { name: 'Save template' });
  const dialog = within(screen.getByRole('dialog', { name: template === 'new' ? 'New template' : /Edit template/ }));
  const user = userEvent.setup();
  return {
    dialog,
    user,
    saved,
    save: () => user.click(dialog.getByRole('button', { name: 'Save template' })),
    changes: () =>
      calls
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path.replace('/api/project/1/', '')}`),
    bodies: () => calls.filter(({ method }) => method !== 'GET').map(({ body }) => body),
  };
};

const CRON = 'Cron';

describe('the form of a template', () => {
  it('names where each value of a run is set, and keeps the arguments with the options of a run', async () => {
    const { dialog } = await showForm();
    const row = (name: string) => within(dialog.getByRole('group', { name })).getByText(/^as /).textContent;
    expect(['Inventory', 'Branch or tag', 'Time limit in minutes'].map(row)).toEqual([
      'as set above',
      'as the repository sets it',
      'as set below',
    ]);
    const options = within(dialog.getByRole('group', { name: 'Run options' }));
    expect(options.getByRole('checkbox', { name: 'Allow additional arguments when a task is started' })).toBeTruthy();
    const limits = within(dialog.getByRole('group', { name: 'Limits, alerts and retention' }));
    expect(limits.getByLabelText('Time limit in minutes')).toBeTruthy();
    expect(dialog.getByText('Description', { selector: 'label' }).dataset.optional).toBe('optional');
  });

  it('names every missing field, also those of the type, and sends nothing', async () => {
    const { dialog, user, save, changes } = await showForm({ template: 'new' });
    await save();
    for (const name of ['Name', 'Playbook filename', 'Inventory', 'Repository', 'Environment']) {
      expect(dialog.getByText(`${name} is required`)).toBeTruthy();
    }
    await user.click(dialog.getByRole('radio', { name: 'Build' }));
    await save();
    expect(dialog.getByText('Start version is required')).toBeTruthy();
    await user.click(dialog.getByRole('radio', { name: 'Deploy' }));
    await save();
    expect(dialog.getByText('Build template is required')).toBeTruthy();
    await user.click(dialog.getByRole('combobox', { name: 'Build template' }));
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['Build shop']);
    expect(changes()).toEqual([]);
  });

  it('focuses the field that a link names', async () => {
    const { dialog } = await showForm({ focus: 'playbook' });
    expect(dialog.getByRole('combobox', { name: 'Playbook filename' }).hasAttribute('data-autofocus')).toBe(true);
    expect(dialog.getByRole('textbox', { name: 'Name' }).hasAttribute('data-autofocus')).toBe(false);
  });

  it('requires a name for each variable of the survey', async () => {
    const { dialog, user, save, changes } = await showForm();
    await user.click(dialog.getByRole('button', { name: 'Add a variable' }));
    await save();
    expect(dialog.getByText('Each variable needs a name')).toBeTruthy();
    expect(changes()).toEqual([]);
    await user.type(dialog.getByLabelText('Variable'), ' hosts ');
    await save();
    await waitFor(() => expect(changes()).toEqual(['PUT templates/1']));
  });

  it('keeps the typed text when another user deletes the template, and shows a notice', async () => {
    let isDeleted = false;
    const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
    const { dialog, user, save, saved } = await showForm({
      client,
      answer: ({ method, path }) =>
        isDeleted && (method === 'PUT' || path === '/api/project/1/templates/1')
          ? { status: 404, body: { error: 'There is no such template.' } }
          : undefined,
    });
    await user.type(dialog.getByLabelText('Name'), ' twice');
    isDeleted = true;
    await act(() => client.invalidateQueries());
    expect(await dialog.findByText(/^Another user deleted this/)).toBeTruthy();
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Ping Site twice');
    await save();
    expect(await dialog.findByText('There is no such template.')).toBeTruthy();
    expect(saved).toEqual([]);
  });

  it('keeps the typed text when a refetch fails', async () => {
    let isBroken = false;
    const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
    const { dialog, user } = await showForm({
      client,
      answer: ({ method }) => (isBroken && method === 'GET' ? { status: 500, body: { error: 'Broken.' } } : undefined),
    });
    await user.type(dialog.getByLabelText('Name'), ' twice');
    isBroken = true;
    await act(() => client.invalidateQueries());
    expect(client.getQueryState(queryKey.template(1, 1))?.status).toBe('error');
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Ping Site twice');
    expect(dialog.queryByText(/^Another user deleted/)).toBeNull();
  });

  it('shows what an import could not keep, and why its schedule does not start it', async () => {
    const stored = sampleTemplate({ lost_at_import: ['tags'] });
    const { changes, dialog, save } = await showForm({ stored, schedules: [schedule(1, '@daily')] });
    expect(dialog.getByText(/^The import could not keep tags\. .*After it is saved, schedules start it/)).toBeTruthy();
    expect(dialog.getByText(/^Schedules don't start this template/)).toBeTruthy();
    // Saving without a change is enough.
    await save();
    await waitFor(() => expect(changes()).toContain('PUT templates/1'));
  });

  it('does not mention the import in the form of a copy', async () => {
    const stored = sampleTemplate({ lost_at_import: ['tags'] });
    const { dialog } = await showForm({ template: 'new', copy: 1, stored });
    expect(dialog.queryByText(/import could not keep/)).toBeNull();
  });

  it('starts a copy with all values except the name and the schedule', async () => {
    const { dialog, save, saved, changes } = await showForm({
      template: 'new',
      copy: 1,
      schedules: [schedule(5, '@daily')],
    });
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Ping Site (copy)');
    expect(dialog.getByLabelText<HTMLInputElement>(CRON).value).toBe('');
    await save();
    await waitFor(() => expect(currentToast()?.text).toBe('Template Ping Site (copy) created'));
    expect(saved).toEqual([12]);
    expect(changes()).toEqual(['POST templates']);
  });

  it('stays open and shows the error of the server', async () => {
    const { dialog, save, saved } = await showForm({
      answer: ({ method }) =>
        method === 'PUT' ? { status: 409, body: { error: 'Taken.', fields: { name: 'is taken' } } } : undefined,
    });
    await save();
    expect(await dialog.findByText('Taken.')).toBeTruthy();
    expect(dialog.getByText('is taken')).toBeTruthy();
    expect(saved).toEqual([]);
  });

  it('shows the errors of a survey at its inputs, and in the alert only that there is one', async () => {
    const field = 'survey_vars.0.pattern';
    const error = `${field} must be a regular expression.`;
    const { dialog, save } = await showForm({
      stored: sampleTemplate({ survey_vars: [sampleVariable({ pattern: '(' })] }),
      answer: ({ method }) =>
        method === 'PUT'
          ? { status: 400, body: { error, code: 'bad_input', fields: { [field]: 'must be a regular expression' } } }
          : undefined,
    });
    await save();
    expect((await dialog.findByRole('alert')).textContent).toBe(
      'The survey has an error, which is shown at its input.',
    );
    expect(dialog.getByText('must be a regular expression')).toBeTruthy();
  });
});

describe('the schedule in the form of a template', () => {
  it('is created if there is none and a cron is typed, which the server validates first', async () => {
    const { dialog, user, save, saved, changes, bodies } = await showForm();
    await user.type(dialog.getByLabelText(CRON), '0 4 * * *');
    await save();
    await waitFor(() => expect(saved).toEqual([1]));
    expect(changes()).toEqual(['POST schedules/validate', 'PUT templates/1', 'POST schedules']);
    expect(bodies()[2]).toMatchObject({ template_id: 1, cron_format: '0 4 * * *' });
  });

  it('is changed if there is exactly one', async () => {
    const { dialog, user, save, changes } = await showForm({ schedules: [schedule(5, '@daily')] });
    expect(dialog.getByText(/^Next: /)).toBeTruthy();
    await user.clear(dialog.getByLabelText(CRON));
    await user.type(dialog.getByLabelText(CRON), '@hourly');
    await save();
    await waitFor(() => expect(changes()).toEqual(['POST schedules/validate', 'PUT templates/1', 'PUT schedules/5']));
  });

  it('is deleted if there is exactly one and the cron is cleared', async () => {
    const { dialog, user, save, changes } = await showForm({ schedules: [schedule(5, '@daily')] });
    await user.clear(dialog.getByLabelText(CRON));
    await save();
    await waitFor(() => expect(changes()).toEqual(['PUT templates/1', 'DELETE schedules/5']));
  });

  it('is not shown and not changed if there are several', async () => {
    const { dialog, save, changes } = await showForm({ schedules: [schedule(5, '@daily'), schedule(6, '@hourly')] });
    expect(dialog.queryByLabelText(CRON)).toBeNull();
    await save();
    await waitFor(() => expect(changes()).toEqual(['PUT templates/1']));
  });

  it('prevents saving the template while its cron is invalid', async () => {
    const { dialog, user, save, changes, saved } = await showForm({
      answer: ({ path }) =>
        path.endsWith('/validate') ? { status: 400, body: { error: 'Cron: five fields.' } } : undefined,
    });
    await user.type(dialog.getByLabelText(CRON), 'never');
    await save();
    expect((await dialog.findAllByText('Cron: five fields.')).length).toBeGreaterThan(0);
    expect(changes()).toEqual(['POST schedules/validate']);
    expect(saved).toEqual([]);
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText(CRON)));
  });

  it('is refused while the survey has a required variable without a default', async () => {
    const survey_vars = [sampleVariable({ name: 'city', title: 'City', required: true })];
    const { dialog, user, save, changes } = await showForm({ stored: sampleTemplate({ survey_vars }) });
    await user.type(dialog.getByLabelText(CRON), '@daily');
    await save();
    expect(await dialog.findByText(/^A schedule has no answer to “City”\./)).toBeTruthy();
    expect(changes()).toEqual([]);
  });

  it('shows the next due times only next to the cron that they belong to', async () => {
    const { dialog, user } = await showForm({ schedules: [schedule(5, '@daily')] });
    expect(dialog.getByText(/^Next: /)).toBeTruthy();
    await user.type(dialog.getByLabelText(CRON), 'x');
    expect(dialog.queryByText(/^Next: /)).toBeNull();
    await user.type(dialog.getByLabelText(CRON), '{Backspace}');
    expect(dialog.getByText(/^Next: /)).toBeTruthy();
  });

  it('offers no condition if no repository is chosen', async () => {
    const { dialog } = await showForm({ schedules: [schedule(5, '@daily')] });
    const field = dialog.getByRole('combobox', { name: 'Only after a new commit in' });
    expect(field.getAttribute('placeholder')).toBe('Always start');
  });

  it('removes the error of a cron once a valid one is typed', async () => {
    let isValid = false;
    const { dialog, user, save } = await showForm({
      answer: ({ path }) =>
        path.endsWith('/validate') && !isValid ? { status: 400, body: { error: 'Cron: five fields.' } } : undefined,
    });
    await user.type(dialog.getByLabelText(CRON), 'never');
    await save();
    expect((await dialog.findAllByText('Cron: five fields.')).length).toBeGreaterThan(0);
    isValid = true;
    await user.clear(dialog.getByLabelText(CRON));
    await user.type(dialog.getByLabelText(CRON), '@daily');
    await waitFor(() => expect(dialog.queryByText('Cron: five fields.')).toBeNull());
  });
});
