import { MAX_STORED_BODY, type Message, type Webhook, type WebhookCall, type WebhookResult } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import type { Selectable } from 'kysely';
import { reasonText } from '../../audit/read-event.ts';
import type { Database, StateReader, StateTransaction } from '../../database/database.ts';
import type { WebhookCallTable } from '../../database/webhook.schema.ts';
import { type CallHeaders, eventOf, type ReceivedCall, withoutSecrets } from './received-call.ts';
import type { WebhookRow } from './webhook.store.ts';

export type CallRow = Selectable<WebhookCallTable>;

/** Number of calls that are kept of each webhook. */
const MAX_CALLS = 100;
/** Days for which calls, and the deliveries that started a task, are kept. */
const CALL_DAYS = 14;
const DELIVERY_DAYS = 7;

/** What became of a call. */
export interface CallOutcome {
  readonly result: WebhookResult;
  readonly taskId: number | null;
  readonly reason: Message | null;
}

export interface CallToStore extends CallOutcome {
  readonly webhook: Pick<WebhookRow, 'id' | 'signature_header'>;
  readonly call: ReceivedCall;
  readonly sender: string;
  readonly verified: boolean;
  /** The secret of the webhook, which is not stored with a body that contains it. */
  readonly secret: string;
  readonly now: Date;
}

const HIDDEN = '***';

/** The stored part of a body. PostgreSQL stores no NUL. */
const storedBody = ({ body }: ReceivedCall, secret: string): string => {
  const text = body.subarray(0, MAX_STORED_BODY).toString('utf8').replaceAll('\0', '\ufffd');
  return secret === '' ? text : text.replaceAll(secret, HIDDEN);
};

/** Whether everything is stored that is needed to handle a call again. */
const isWhole = ({ verified, size, body }: Pick<CallRow, 'verified' | 'size' | 'body'>): boolean =>
  verified === 1 && size === Buffer.byteLength(body);

/** Stores a call, and deletes the oldest ones of its webhook. */
export const storeCall = async (tx: StateTransaction, stored: CallToStore): Promise<void> => {
  const { webhook, call, now } = stored;
  await tx
    .insertInto('webhook_call')
    .values({
      webhook_id: webhook.id,
      created: now.toISOString(),
      sender: stored.sender,
      event: eventOf(call.headers),
      result: stored.result,
      task_id: stored.taskId,
      reason: stored.reason && JSON.stringify(stored.reason),
      size: call.body.length,
      verified: stored.verified ? 1 : 0,
      headers: JSON.stringify(withoutSecrets(call.headers, webhook.signature_header)),
      body: storedBody(call, stored.secret),
    })
    .execute();
  const oldest = await tx
    .selectFrom('webhook_call')
    .select('id')
    .where('webhook_id', '=', webhook.id)
    .orderBy('id', 'desc')
    .offset(MAX_CALLS)
    .limit(1)
    .executeTakeFirst();
  if (oldest)
    await tx.deleteFrom('webhook_call').where('webhook_id', '=', webhook.id).where('id', '<=', oldest.id).execute();
  if (!stored.verified) return;
  await tx.updateTable('webhook').set({ last_call: now.toISOString() }).where('id', '=', webhook.id).execute();
};

export const presentCall = (row: CallRow): WebhookCall => {
  const reason = row.reason === null ? null : (JSON.parse(row.reason) as Message);
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    time: row.created,
    sender: row.sender,
    event: row.event,
    result: row.result,
    task_id: row.task_id,
    reason,
    description: reason === null ? '' : reasonText(reason),
    size: row.size,
    can_resend: isWhole(row),
  };
};

/** A stored call as it was received, without secrets; undefined unless all of it is stored and its sender was verified. */
export const callToResend = (row: CallRow): ReceivedCall | undefined =>
  isWhole(row) ? { headers: JSON.parse(row.headers) as CallHeaders, body: Buffer.from(row.body, 'utf8') } : undefined;

export const storedCalls = (db: StateReader, webhookId: number) =>
  db.selectFrom('webhook_call').selectAll().where('webhook_id', '=', webhookId).orderBy('id', 'desc');

/** The newest call of each webhook that has one, by the id of the webhook. */
export const newestCalls = async (
  db: StateReader,
  webhooks: readonly number[],
): Promise<ReadonlyMap<number, Webhook['newest_call']>> => {
  if (webhooks.length === 0) return new Map();
  const rows = await db
    .selectFrom('webhook_call')
    .select(['webhook_id', 'created', 'result'])
    .where('id', 'in', (qb) =>
      qb
        .selectFrom('webhook_call')
        .select((eb) => eb.fn.max('id').as('id'))
        .where('webhook_id', 'in', [...webhooks])
        .groupBy('webhook_id'),
    )
    .execute();
  return new Map(rows.map(({ webhook_id, created, result }) => [webhook_id, { time: created, result }]));
};

/** Deletes calls and deliveries that are too old. */
export const removeOldCalls = async ({ autocommit }: Database, now: Date): Promise<void> => {
  const before = (days: number): string => new Date(now.getTime() - days * DAY_MS).toISOString();
  await autocommit.deleteFrom('webhook_call').where('created', '<', before(CALL_DAYS)).execute();
  await autocommit.deleteFrom('webhook_delivery').where('created', '<', before(DELIVERY_DAYS)).execute();
};
