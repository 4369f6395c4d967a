import { z } from 'zod';
import {
  MAX_WEBHOOK_BODY,
  NewWebhook,
  Webhook,
  WebhookAnswer,
  WebhookCall,
  WebhookCallContent,
  WebhookChange,
  WebhookTest,
  WebhookTestResult,
  WebhookWithAddress,
} from '../entities/webhook.ts';
import { IdText } from '../fields.ts';
import { REFUSED_LAUNCH_VALUES } from '../refused-fields.ts';
import { anyone, member, route } from '../route.ts';
import { ProjectParams, WebhookAddressParams, WebhookCallParams, WebhookParams } from './params.ts';

const WEBHOOKS = '/project/{project_id}/webhooks';

export const receiveWebhook = route({
  method: 'POST',
  path: '/webhook/{webhook_token}',
  permission: anyone,
  params: WebhookAddressParams,
  rawBody: true,
  bodyLimit: MAX_WEBHOOK_BODY,
  status: 200,
  mayAccept: true,
  answer: WebhookAnswer,
  errors: ['not_found', 'not_permitted', 'conflict', 'bad_input', 'bad_json', 'too_large', 'too_slow', 'too_many'],
  doc: 'The address of a webhook. The body is JSON. 202 if the call starts a task; 200 if its conditions do not match, if the webhook is paused, or if the same delivery started a task before. 404 for an unknown address and for a wrong signature.',
});

export const listWebhooks = route({
  method: 'GET',
  path: WEBHOOKS,
  permission: member(),
  params: ProjectParams,
  query: z.object({ template_id: IdText.optional().describe('Only webhooks of this template.') }),
  status: 200,
  answer: z.array(Webhook),
  doc: 'The webhooks of a project by name, without their secrets and addresses.',
});

export const createWebhook = route({
  method: 'POST',
  path: WEBHOOKS,
  permission: member('edit_schedules'),
  params: ProjectParams,
  body: NewWebhook,
  refuses: REFUSED_LAUNCH_VALUES,
  status: 201,
  answer: WebhookWithAddress,
  errors: ['conflict'],
  doc: 'Creates a webhook. Only this answer contains its address.',
});

export const testWebhook = route({
  method: 'POST',
  path: `${WEBHOOKS}/test`,
  permission: member('edit_schedules'),
  params: ProjectParams,
  body: WebhookTest,
  status: 200,
  answer: WebhookTestResult,
  doc: 'Tries matchers and extractors with a call, without starting a task.',
});

export const getWebhook = route({
  method: 'GET',
  path: `${WEBHOOKS}/{webhook_id}`,
  permission: member(),
  params: WebhookParams,
  status: 200,
  answer: Webhook,
  changedByRuns: ['last_call', 'newest_call'],
  doc: 'One webhook, without its secret and its address.',
});

export const updateWebhook = route({
  method: 'PUT',
  path: `${WEBHOOKS}/{webhook_id}`,
  permission: member('edit_schedules'),
  params: WebhookParams,
  body: WebhookChange,
  refuses: REFUSED_LAUNCH_VALUES,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes a webhook. Without `secret` it keeps the stored one.',
});

export const deleteWebhook = route({
  method: 'DELETE',
  path: `${WEBHOOKS}/{webhook_id}`,
  permission: member('edit_schedules'),
  params: WebhookParams,
  status: 204,
  answer: 'nothing',
  doc: 'Deletes a webhook with its received calls. The tasks that it started are kept.',
});

export const renewWebhookAddress = route({
  method: 'POST',
  path: `${WEBHOOKS}/{webhook_id}/address`,
  permission: member('edit_schedules'),
  params: WebhookParams,
  status: 200,
  answer: WebhookWithAddress,
  doc: 'Gives a webhook a new address. The old one stops working at once.',
});

export const listWebhookCalls = route({
  method: 'GET',
  path: `${WEBHOOKS}/{webhook_id}/calls`,
  permission: member(),
  params: WebhookParams,
  status: 200,
  answer: z.array(WebhookCall),
  doc: 'The last calls that a webhook received, newest first: at most 100, for 14 days.',
});

export const getWebhookCall = route({
  method: 'GET',
  path: `${WEBHOOKS}/{webhook_id}/calls/{call_id}`,
  permission: member('edit_schedules'),
  params: WebhookCallParams,
  status: 200,
  answer: WebhookCallContent,
  doc: 'A received call with its headers and body, without secrets.',
});

export const resendWebhookCall = route({
  method: 'POST',
  path: `${WEBHOOKS}/{webhook_id}/calls/{call_id}/send`,
  permission: member('run_tasks'),
  params: WebhookCallParams,
  status: 200,
  answer: WebhookAnswer,
  errors: ['conflict', 'bad_input'],
  doc: 'Handles a received call again as the webhook is now, and starts a new task if the conditions match.',
});
