import type { Webhook, WebhookCall } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { WebhookPage } from '../../features/webhooks/webhook-page.tsx';
import { WebhooksPage, type WebhooksState } from '../../features/webhooks/webhooks-page.tsx';
import { sampleTemplate, sampleVariable } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import { LAUNCH } from './launch-form.ts';

const TEMPLATE = sampleTemplate({
  ...{ id: 2, name: 'Deploy', prompts: { ...sampleTemplate().prompts, max_duration: 'any' } },
  survey_vars: [sampleVariable({ name: 'version', title: 'Version', required: true })],
});
const WEBHOOK: Webhook = {
  ...{ id: 7, project_id: 1, template_id: 2, name: 'Releases', active: true },
  ...{ sender_check: 'github', signature_header: '', delivery_header: '', has_secret: true },
  matchers: [{ source: 'body', path: '$.action', method: 'equals', value: 'published' }],
  extractors: [{ source: 'body', path: '$.tag', pattern: '', target: 'answer', variable: 'version' }],
  launch_values: { message: '', environment: '{}', arguments: '[]', limit: '' },
  secret_answers: [],
  last_call: '2026-10-23T15:00:00.000Z',
  newest_call: { time: '2026-10-23T15:00:00.000Z', result: 'refused' },
};
const CALL: WebhookCall = {
  ...{ id: 5, webhook_id: 7, time: '2026-10-23T15:00:00.000Z', sender: '203.0.113.24', event: 'release' },
  ...{ result: 'no_match', task_id: null, size: 166, can_resend: true },
  reason: { code: 'reason.webhook_value', params: { path: '$.action', value: 'created' } },
  description: '$.action is “created”, which does not match.',
};
const BODY = '{"action":"created","tag":"v2"}';

const start = (answer: Given, permissions: number) => {
  const answers: Record<string, unknown> = {
    '/api/project/1/role': { role: 'manager', permissions },
    '/api/project/1/templates': [TEMPLATE, sampleTemplate({ id: 3, name: 'Patch' })],
    '/api/project/1/webhooks': [WEBHOOK, { ...WEBHOOK, id: 8, template_id: 3, name: 'Images', newest_call: null }],
    '/api/project/1/webhooks/7/calls': [CALL],
    '/api/project/1/webhooks/7/calls/5': { ...CALL, headers: { 'x-github-event': 'release' }, body: BODY },
    '/api/project/1/webhooks/test': {
      ...{ is_json: true, is_match: false },
      matchers: [{ is_match: false, value: 'created', lines: [2, 2] }],
      extractors: [{ value: 'v2', lines: [3, 3] }],
    },
  };
  const calls = answerCalls(({ method, path }) =>
    method === 'GET' || path.endsWith('/test') ? { status: 200, body: answers[path] ?? [] } : answer,
  );
  return () => calls.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/test'));
};

const showList = async (state: WebhooksState = {}, permissions = 5) => {
  const changes = start({ status: 204 }, permissions);
  const onOpen = vi.fn();
  await show(
    <TestState<WebhooksState> start={state}>
      {(now, onState) => <WebhooksPage project={1} state={now} onState={onState} onOpen={onOpen} />}
    </TestState>,
  );
  return { changes, onOpen, user: userEvent.setup() };
};

const showForm = async (webhook: number | 'new', answer: Given = { status: 204 }, permissions = 5) => {
  const changes = start(answer, permissions);
  const made = { onAddress: vi.fn(), onCreated: vi.fn(), onClose: vi.fn() };
  const given = { project: 1, webhook, template: 2, launch: LAUNCH, before: null, toList: null, shown: undefined };
  await show(<WebhookPage {...given} {...made} />);
  return { changes, ...made, user: userEvent.setup() };
};

describe('the list of webhooks', () => {
  it('shows the template, the check and what became of the last call, and pauses a webhook with its switch', async () => {
    const { changes, user } = await showList();
    const row = within((await screen.findByText('Releases')).closest('tr') as HTMLElement);
    for (const text of ['Deploy', 'GitHub signature', 'Refused']) expect(await row.findByText(text)).toBeTruthy();
    await user.click(row.getByRole('switch', { name: 'Active: Releases' }));
    await waitFor(() =>
      expect(changes()).toMatchObject([{ path: '/api/project/1/webhooks/7', method: 'PUT', body: { active: false } }]),
    );
  });

  it('shows those of one template, and all again', async () => {
    const { user } = await showList({ template: 3 });
    expect(await screen.findByText('Images')).toBeTruthy();
    expect(screen.queryByText('Releases')).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Only of Patch' }));
    expect(screen.getByText('Releases')).toBeTruthy();
  });

  it('has no buttons for members who may not change webhooks', async () => {
    await showList({}, 1);
    expect((await screen.findAllByRole<HTMLInputElement>('switch'))[0]?.disabled).toBe(true);
    expect(screen.queryByRole('button', { name: 'New webhook' })).toBeNull();
  });
});

describe('the form of a webhook', () => {
  it('names what is missing, except an answer that the call gives, and passes the address on', async () => {
    const created = { status: 201, body: { ...WEBHOOK, id: 9, address: 'https://ci.example/api/webhook/x' } };
    const { changes, onAddress, onCreated, user } = await showForm('new', created);
    await user.click(await screen.findByRole('button', { name: 'Save webhook' }));
    expect(await screen.findByText('Version is required')).toBeTruthy();
    expect(screen.getByText('Name is required')).toBeTruthy();
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Releases');
    await user.type(screen.getByLabelText('Secret', { selector: 'input' }), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Add value' }));
    await user.type(screen.getByRole('textbox', { name: 'Path or name' }), '$.tag');
    await user.click(screen.getByRole('button', { name: 'Save webhook' }));
    await waitFor(() => expect(onCreated).toHaveBeenCalledWith(9));
    expect(onAddress).toHaveBeenCalledWith({ webhook: 9, address: 'https://ci.example/api/webhook/x' });
    expect(changes()).toMatchObject([
      {
        path: '/api/project/1/webhooks',
        body: {
          ...{ name: 'Releases', template_id: 2, sender_check: 'github', secret: 'long enough', matchers: [] },
          extractors: [{ source: 'body', path: '$.tag', pattern: '', target: 'answer', variable: 'version' }],
          launch_values: { environment: '{}' },
        },
      },
    ]);
  });

  it('shows what the rules give for a received call, and why it would start no task', async () => {
    const { user } = await showForm(7);
    await user.click(await screen.findByRole('button', { name: 'Use the last call' }));
    const conditions = within(screen.getByRole('region', { name: 'Start a task when' }));
    expect(await conditions.findByText('created')).toBeTruthy();
    expect(conditions.getByText('Doesn’t match')).toBeTruthy();
    expect(within(screen.getByRole('region', { name: 'Fill in' })).getByText('v2')).toBeTruthy();
    expect(screen.getByText('Would start no task.')).toBeTruthy();
    expect(screen.getByText(/\$\.action is “created”\./)).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>('Headers').value).toBe('x-github-event: release');
  });

  it('shows an error of the server at its row', async () => {
    const fields = { 'matchers.0.path': 'must be a path such as $.action' };
    const { user } = await showForm(7, { status: 400, body: { error: 'Not valid.', fields } });
    await user.click(await screen.findByRole('button', { name: 'Save webhook' }));
    const conditions = within(screen.getByRole('region', { name: 'Start a task when' }));
    expect(await conditions.findByText('must be a path such as $.action')).toBeTruthy();
  });

  it('opens, scrolls to and focuses the option that the server refuses', async () => {
    const fields = { 'launch_values.max_duration': 'must be shorter' };
    const { user } = await showForm(7, { status: 400, body: { error: 'Not valid.', fields } });
    await user.click(await screen.findByRole('button', { name: 'Save webhook' }));
    expect(await screen.findByText('must be shorter')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Time limit in minutes'));
  });

  it('renews the address after a confirmation', async () => {
    const renewed = { status: 200, body: { ...WEBHOOK, address: 'https://ci.example/api/webhook/y' } };
    const { onAddress, user } = await showForm(7, renewed);
    await user.click(await screen.findByRole('button', { name: 'Renew address' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Renew the address/ }));
    await user.click(dialog.getByRole('button', { name: 'Renew address' }));
    await waitFor(() =>
      expect(onAddress).toHaveBeenCalledWith({ webhook: 7, address: 'https://ci.example/api/webhook/y' }),
    );
  });

  it('shows calls to task runners, who may send them again but see no bodies', async () => {
    const answer = { status: 200, body: { result: 'started', task_id: 12, reason: '' } };
    const { changes, user } = await showForm(7, answer, 1);
    const row = within((await screen.findByText('203.0.113.24')).closest('tr') as HTMLElement);
    expect(row.queryByRole('button', { name: 'Try' })).toBeNull();
    await user.click(row.getByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(changes()).toMatchObject([{ path: '/api/project/1/webhooks/7/calls/5/send' }]));
    expect(screen.queryByRole('button', { name: 'Save webhook' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Try with this body' })).toBeNull();
  });
});
