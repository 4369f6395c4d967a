import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, Moment, Name, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';

/** The languages that alerts are written in, and the console speaks. */
export const Language = z.enum(['en', 'ru', 'de', 'zh', 'fr', 'pt']);
export type Language = z.infer<typeof Language>;

/** What a receiver understands; `mattermost` is understood by Rocket.Chat too, `webhook` is signed JSON. */
export const ReceiverKind = z.enum(['slack', 'teams', 'mattermost', 'webhook']);
export type ReceiverKind = z.infer<typeof ReceiverKind>;

/** Most receivers of one project. */
export const MAX_RECEIVERS = 50;

/** A place that alerts of a project are posted to: never its address, never its secret. */
export const AlertReceiver = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  kind: ReceiverKind,
  active: z.boolean().describe('Whether it is sent alerts.'),
  has_secret: z.boolean().describe('Whether what it is sent is signed.'),
});
export type AlertReceiver = z.infer<typeof AlertReceiver>;

const isAddress = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== '';
};

export const NewAlertReceiver = z.object({
  name: Name,
  kind: ReceiverKind,
  url: text(2048)
    .trim()
    .min(1, fieldError('field.required'))
    .refine(isAddress, fieldError('field.web_address'))
    .meta({ openapiFormat: 'uri' })
    .describe('Where to post to. Write-only.'),
  secret: text(1024).default('').describe('What a `webhook` is signed with; empty for no signature. Write-only.'),
  active: z.boolean().default(true).describe('Whether it is sent alerts.'),
});
export const AlertReceiverChange = changeOf(NewAlertReceiver.shape);

/** How a message is brought. */
export const AlertChannel = z.enum(['email', 'telegram', 'slack', 'teams', 'mattermost', 'webhook']);
export type AlertChannel = z.infer<typeof AlertChannel>;

/** Why a message did not arrive. */
export const AlertFault = z.enum([
  'not_configured',
  'not_wanted',
  'address_refused',
  'no_such_host',
  'not_reached',
  'timed_out',
  'not_trusted',
  'redirected',
  'refused',
  'failed',
]);
export type AlertFault = z.infer<typeof AlertFault>;

const fault = {
  fault: AlertFault.nullable().describe('Why it did not arrive the last time it was tried; null for no reason.'),
  detail: z.string().describe('The status that was answered, or a code of the network; empty where there is none.'),
};

/** `waiting` covers messages that are tried again; `dropped` ones were no longer wanted. */
export const DeliveryState = z.enum(['waiting', 'sent', 'failed', 'dropped']);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** One message to one receiver. */
export const AlertDelivery = z.object({
  id: Id,
  project_id: Id,
  task_id: Id,
  template: z.string().describe('Name of the template.'),
  status: z.string().describe('How the task ended.'),
  channel: AlertChannel,
  receiver: z.string().describe('Name of the receiver: of a user, or of a place of the project; empty for its chat.'),
  state: DeliveryState,
  attempts: z.int().describe('How often it was tried.'),
  ...fault,
  created: Moment,
  next_attempt: Moment.nullable().describe('When it is tried next; null when it is not.'),
  ended: Moment.nullable().describe('When it was sent or given up; null while it waits.'),
});
export type AlertDelivery = z.infer<typeof AlertDelivery>;

/** What became of a message that was sent at once, to try a receiver. */
export const AlertTest = z.object({ sent: z.boolean().describe('Whether the receiver took it.'), ...fault });
export type AlertTest = z.infer<typeof AlertTest>;
