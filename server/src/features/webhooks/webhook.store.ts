import { LaunchValues, type NewWebhook, type Webhook, WebhookExtractor, WebhookMatcher } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { WebhookTable } from '../../database/webhook.schema.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { hashToken } from '../../secrets/token.ts';
import { decryptWebhookSecret, encryptWebhookSecret } from '../../secrets/webhook-secret.ts';
import { SecretAnswers } from '../../stored-answers/secret-answers.ts';
import { storedValues } from '../../stored-answers/stored-values.ts';

export type WebhookRow = Selectable<WebhookTable>;

export type WebhookInput = z.output<typeof NewWebhook>;

const Matchers = z.array(WebhookMatcher);
const Extractors = z.array(WebhookExtractor);

/** The rules and values of a webhook, which are stored as JSON. */
export const rulesOf = (row: Pick<WebhookRow, 'matchers' | 'extractors' | 'launch_values'>) => ({
  matchers: Matchers.parse(JSON.parse(row.matchers)),
  extractors: Extractors.parse(JSON.parse(row.extractors)),
  launch_values: storedValues(row),
});

/** The secret answers of webhooks. */
export const webhookAnswers = new SecretAnswers('webhook');

/** What is answered of a webhook in addition to its row. */
export type WebhookExtras = Pick<Webhook, 'newest_call' | 'secret_answers'>;

export const presentWebhook = (row: WebhookRow, { newest_call, secret_answers }: WebhookExtras): Webhook => ({
  id: row.id,
  project_id: row.project_id,
  template_id: row.template_id,
  name: row.name,
  active: row.active === 1,
  sender_check: row.sender_check,
  signature_header: row.signature_header,
  delivery_header: row.delivery_header,
  has_secret: row.has_secret === 1,
  ...rulesOf(row),
  secret_answers,
  last_call: row.last_call,
  newest_call,
});

/** The secret of a webhook; empty without one, and if the key that encrypted it is missing. */
export const secretOf = (master: MasterKey, row: Pick<WebhookRow, 'id' | 'secret'>): string => {
  if (row.secret === '') return '';
  try {
    return decryptWebhookSecret(master, row);
  } catch {
    return '';
  }
};

/** Returns a webhook in the form of a request that would create it, without its secret. */
export const inputOf = (row: WebhookRow): WebhookInput => {
  const presented = presentWebhook(row, { newest_call: null, secret_answers: [] });
  const { id, project_id, has_secret, last_call, newest_call, secret_answers, ...input } = presented;
  return { ...input, secret: '' };
};

/** The columns that users set, without the secret. */
export const inputColumns = (input: WebhookInput) => ({
  template_id: input.template_id,
  name: input.name,
  active: input.active ? (1 as const) : (0 as const),
  sender_check: input.sender_check,
  signature_header: input.signature_header,
  delivery_header: input.delivery_header,
  matchers: JSON.stringify(input.matchers),
  extractors: JSON.stringify(input.extractors),
  launch_values: JSON.stringify(LaunchValues.parse(input.launch_values ?? {})),
});

export const secretColumns = (master: MasterKey, id: number, secret: string) => ({
  has_secret: secret === '' ? (0 as const) : (1 as const),
  secret: secret === '' ? '' : encryptWebhookSecret(master, id, secret),
});

/**
 * Stores a webhook. The id of the row is part of the encryption of its secret, so the row is first inserted without it.
 * @param token the secret part of the address
 */
export const insertWebhook = async (
  tx: StateTransaction,
  master: MasterKey,
  projectId: number,
  input: WebhookInput,
  token: string,
  actor: Actor,
  now: Date,
): Promise<WebhookRow> => {
  const { id } = await tx
    .insertInto('webhook')
    .values({
      project_id: projectId,
      token_hash: hashToken(token),
      ...inputColumns(input),
      has_secret: 0,
      secret: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = await tx
    .updateTable('webhook')
    .set(secretColumns(master, id, input.secret))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'webhook', row, actor, now);
  return row;
};
