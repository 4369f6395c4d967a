import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, Moment, Name, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';

/** The languages of alerts and of the console. */
export const Language = z.enum(['en', 'ru', 'de', 'zh', 'fr', 'pt']);
export type Language = z.infer<typeof Language>;

/** Message formats of receivers. Rocket.Chat accepts `mattermost`; `webhook` is signed JSON. */
export const ReceiverKind = z.enum(['slack', 'teams', 'mattermost', 'webhook']);
export type ReceiverKind = z.infer<typeof ReceiverKind>;

/** Maximum number of receivers of one project. */
export const MAX_RECEIVERS = 50;

/** An alert receiver of a project, without its address and secret. */
export const AlertReceiver = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  kind: ReceiverKind,
  active: z.boolean().describe('Whether alerts are sent to it.'),
  has_secret: z.boolean().describe('Whether its messages are signed.'),
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
    .describe('Address for the messages. Write-only.'),
  secret: text(1024)
    .default('')
    .describe('Secret that signs the messages of a `webhook`; empty for no signature. Write-only.'),
  active: z.boolean().default(true).describe('Whether alerts are sent to it.'),
});
export const AlertReceiverChange = changeOf(NewAlertReceiver.shape);

/** The channel of a message. */
export const AlertChannel = z.enum(['email', 'telegram', 'slack', 'teams', 'mattermost', 'webhook']);
export type AlertChannel = z.infer<typeof AlertChannel>;

/** Why a message was not delivered. */
export const AlertDeliveryError = z.enum([
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
export type AlertDeliveryError = z.infer<typeof AlertDeliveryError>;

const fault = {
  fault: AlertDeliveryError.nullable().describe('Why the last attempt failed; null without a failure.'),
  detail: z.string().describe('Status of the response, or an error code of the network; empty without one.'),
};

/** `waiting` includes messages that are retried; `dropped` messages were no longer needed. */
export const DeliveryState = z.enum(['waiting', 'sent', 'failed', 'dropped']);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** One message to one receiver. */
export const AlertDelivery = z.object({
  id: Id,
  project_id: Id,
  task_id: Id.nullable().describe(
    'The task that ended or waits for an approval; null for a schedule that started none.',
  ),
  schedule_id: Id.nullable().describe('The schedule that started no task; null for an alert about a task.'),
  schedule: z.string().describe('Name of that schedule, also after it was deleted; else empty.'),
  template: z.string().describe('Name of the template.'),
  status: z
    .string()
    .describe(
      'Status of the task; `not_started` for a schedule that started none, `approval_needed` for a task that waits for an approval, `hosts_silent` for a running task with hosts that do not answer.',
    ),
  channel: AlertChannel,
  receiver: z.string().describe('Name of the user or the alert receiver; empty for the Telegram chat.'),
  state: DeliveryState,
  attempts: z.int().describe('Number of attempts.'),
  ...fault,
  created: Moment,
  next_attempt: Moment.nullable().describe('Time of the next attempt; null if there is none.'),
  ended: Moment.nullable().describe('When it was sent or abandoned; null while it waits.'),
});
export type AlertDelivery = z.infer<typeof AlertDelivery>;

/** The result of a test message. */
export const AlertTest = z.object({
  sent: z.boolean().describe('Whether the receiver accepted the message.'),
  ...fault,
});
export type AlertTest = z.infer<typeof AlertTest>;
