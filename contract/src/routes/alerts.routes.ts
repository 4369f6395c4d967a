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
  doc: 'The places that alerts of a project are posted to, by name, without their addresses and secrets.',
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
  doc: 'Adds a place that alerts are posted to; its address and its secret are encrypted and never answered again.',
});

export const getAlertReceiver = route({
  method: 'GET',
  path: `${RECEIVERS}/{receiver_id}`,
  permission: member('update_project'),
  params: ReceiverParams,
  status: 200,
  answer: AlertReceiver,
  doc: 'One receiver, without its address and its secret.',
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
  doc: 'Changes a receiver; without `url` and `secret` it keeps those that it has.',
});

export const deleteAlertReceiver = route({
  method: 'DELETE',
  path: `${RECEIVERS}/{receiver_id}`,
  permission: member('update_project'),
  params: ReceiverParams,
  status: 204,
  answer: 'nothing',
  doc: 'Deletes a receiver; what it was not sent yet is dropped.',
});

export const testAlertReceiver = route({
  method: 'POST',
  path: `${RECEIVERS}/{receiver_id}/test`,
  permission: member('update_project'),
  params: ReceiverParams,
  status: 200,
  answer: AlertTest,
  errors: ['too_many'],
  doc: 'Posts a message to a receiver now, and says what became of it.',
});

export const testAlertChat = route({
  method: 'POST',
  path: '/project/{project_id}/alerts/chat/test',
  permission: member('update_project'),
  params: ProjectParams,
  status: 200,
  answer: AlertTest,
  errors: ['too_many'],
  doc: 'Sends a message to the Telegram chat of a project now, and says what became of it.',
});

export const listAlertDeliveries = route({
  method: 'GET',
  path: '/project/{project_id}/alerts/deliveries',
  permission: member('update_project'),
  params: ProjectParams,
  query: z.object({
    limit: countText(1, 200).optional().describe('At most so many, the newest; 50 unless told.'),
    before: IdText.optional().describe('Only deliveries older than the one with this id.'),
  }),
  status: 200,
  answer: z.array(AlertDelivery),
  doc: 'Which alerts of a project were sent to whom, and what became of each, newest first.',
});

export const testOwnAlert = route({
  method: 'POST',
  path: '/user/alerts/test',
  permission: signedIn,
  status: 200,
  answer: AlertTest,
  errors: ['conflict', 'too_many'],
  doc: 'Sends a message to the e-mail address of the caller now, and says what became of it.',
});
