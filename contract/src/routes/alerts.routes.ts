import { z } from 'zod';
import { AlertDelivery, AlertReceiver, AlertReceiverChange, AlertTest, NewAlertReceiver } from '../entities/alert.ts';
import { countText, IdText } from '../fields.ts';
import { member, route, signedIn } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { ProjectParams, ReceiverParams } from './params.ts';

const RECEIVERS = '/project/{project_id}/alerts/receivers';

export const listAlertReceivers = route({
  method: 'GET',
  path: RECEIVERS,
  permission: member('update_project'),
  params: ProjectParams,
  query: sortedBy('name', 'kind', 'active'),
  status: 200,
  answer: z.array(AlertReceiver),
  doc: 'The alert receivers of a project by name, without their addresses and secrets.',
});

export const createAlertReceiver = route({
  method: 'POST',
  path: RECEIVERS,
  permission: member('update_project'),
  params: ProjectParams,
  body: NewAlertReceiver,
  status: 201,
  answer: AlertReceiver,
  errors: ['conflict'],
  doc: 'Creates an alert receiver. Its address and secret are encrypted and never returned.',
});

export const getAlertReceiver = route({
  method: 'GET',
  path: `${RECEIVERS}/{receiver_id}`,
  permission: member('update_project'),
  params: ReceiverParams,
  status: 200,
  answer: AlertReceiver,
  doc: 'One alert receiver, without its address and secret.',
});

export const updateAlertReceiver = route({
  method: 'PUT',
  path: `${RECEIVERS}/{receiver_id}`,
  permission: member('update_project'),
  params: ReceiverParams,
  body: AlertReceiverChange,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes an alert receiver. Without `url` and `secret` it keeps the stored ones.',
});

export const deleteAlertReceiver = route({
  method: 'DELETE',
  path: `${RECEIVERS}/{receiver_id}`,
  permission: member('update_project'),
  params: ReceiverParams,
  status: 204,
  answer: 'nothing',
  doc: 'Deletes an alert receiver. Waiting alerts are not sent.',
});

export const testAlertReceiver = route({
  method: 'POST',
  path: `${RECEIVERS}/{receiver_id}/test`,
  permission: member('update_project'),
  params: ReceiverParams,
  status: 200,
  answer: AlertTest,
  errors: ['too_many'],
  doc: 'Sends a test message to an alert receiver and returns the result.',
});

export const testAlertChat = route({
  method: 'POST',
  path: '/project/{project_id}/alerts/chat/test',
  permission: member('update_project'),
  params: ProjectParams,
  status: 200,
  answer: AlertTest,
  errors: ['too_many'],
  doc: 'Sends a test message to the Telegram chat of a project and returns the result.',
});

export const listAlertDeliveries = route({
  method: 'GET',
  path: '/project/{project_id}/alerts/deliveries',
  permission: member('update_project'),
  params: ProjectParams,
  query: z.object({
    limit: countText(1, 200).optional().describe('Maximum number of deliveries, newest first. Default: 50.'),
    before: IdText.optional().describe('Only deliveries older than the one with this id.'),
  }),
  status: 200,
  answer: z.array(AlertDelivery),
  doc: 'The alerts of a project with their receivers and states, newest first.',
});

export const testOwnAlert = route({
  method: 'POST',
  path: '/user/alerts/test',
  permission: signedIn,
  status: 200,
  answer: AlertTest,
  errors: ['conflict', 'too_many'],
  doc: 'Sends a test message to the email address of the caller and returns the result.',
});
