import type { Template } from '@signalbox/contract';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { sampleTemplate } from '../../../testing/sample.ts';
import { show, testSocket } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { NewObject, type NewObjectProps } from '../../../ui/forms/new-object.ts';
import { FirstRunSteps } from './first-run-steps.tsx';

const KEY = { id: 4, project_id: 1, name: 'lab-deploy', type: 'none' };
const EDIT_TEMPLATES = 4;
const NONE: Template[] = [];

const Form = ({ onClose }: NewObjectProps) => (
  <div role="dialog" aria-label="Form">
    <button type="button" onClick={onClose}>
      Cancel
    </button>
  </div>
);

const showSteps = async ({ mayCreate = true, permissions = EDIT_TEMPLATES, all = false, templates = NONE } = {}) => {
  const one = all ? [{ ...KEY, name: 'one' }] : [];
  const answers: Record<string, unknown> = {
    '/api/projects': [{ id: 1, name: 'Lab' }],
    '/api/project/1/role': { role: 'manager', permissions, templates: [] },
    '/api/project/1/keys': one,
    '/api/project/1/repositories': one,
    '/api/project/1/inventory': one,
    '/api/project/1/environment': one,
    '/api/project/1/templates': templates,
    '/api/user': { name: 'Mara', can_create_project: mayCreate },
  };
  answerCalls(({ path }) => ({ status: 200, body: answers[path] ?? [] }));
  const live = testSocket();
  await show(
    <NewObject value={mayCreate ? { key: Form, repository: Form } : {}}>
      <FirstRunSteps project={1} />
    </NewObject>,
    { live },
  );
  await screen.findByRole('list', { name: 'Steps to the first run' });
  return { answers, live, user: userEvent.setup() };
};

const step = (title: string) => screen.getByRole('heading', { level: 3, name: title }).closest('li') as HTMLElement;

it('the next step opens its form in place, and the others have no button', async () => {
  const { user } = await showSteps();
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Key',
    'Repository',
    'Inventory',
    'Environment',
    'Template',
    'First run',
  ]);
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent?.trim())).toEqual(['New key']);
  await user.click(within(step('Key')).getByRole('button'));
  const dialog = await screen.findByRole('dialog', { name: 'Form' });
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('a step that another user does becomes done, with the object and who added it', async () => {
  const { answers, live } = await showSteps();
  act(() => live.accept());
  answers['/api/project/1/keys'] = [KEY];
  answers['/api/project/1/events/last'] = [
    { id: 1, kind: 'key.created', object_id: 4, username: 'Jonas', created: '2026-11-21T10:09:00.000Z' },
  ];
  act(() => live.send({ type: 'changed', project_id: 1, part: 'keys' }));
  expect(await within(step('Key')).findByRole('link', { name: 'lab-deploy' })).toBeTruthy();
  expect(await within(step('Key')).findByText(/added by Jonas/)).toBeTruthy();
  expect(within(step('Key')).getByRole('img', { name: 'Done' })).toBeTruthy();
  expect(within(step('Repository')).getByRole('button', { name: 'New repository' })).toBeTruthy();
});

it('users who may create nothing see a text instead of buttons and the demo project', async () => {
  await showSteps({ mayCreate: false, permissions: 0 });
  expect(within(step('Key')).getByText(/Your role can't add this/)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Create the demo project' })).toBeNull();
});

it('the playbooks of a repository are offered as templates', async () => {
  await showSteps({ all: true });
  const link = within(step('Template')).getByRole('link', { name: 'Find playbooks in one' });
  expect(link.getAttribute('href')).toBe('/project/1/repositories/4/playbooks');
});

it('after the template is saved, the steps stay until its first run', async () => {
  await showSteps({
    all: true,
    permissions: 1,
    templates: [sampleTemplate({ id: 3, name: 'Patch', last_task: null })],
  });
  expect(screen.getByRole('heading', { level: 2, name: 'No tasks in Lab' })).toBeTruthy();
  expect(within(step('Template')).getByRole('link', { name: 'Patch' })).toBeTruthy();
  expect(step('First run').getAttribute('aria-current')).toBe('step');
  expect(within(step('First run')).getByRole('link', { name: 'Run Patch' })).toBeTruthy();
});

it('the template step leads to the form of a template, for users who may create one', async () => {
  await showSteps({ all: true });
  const link = within(step('Template')).getByRole('link', { name: 'New template' });
  expect(link.getAttribute('href')).toBe('/project/1/templates/new/edit');
});
