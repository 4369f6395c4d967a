import type { AlertDelivery, AlertDeliveryError, DeliveryState } from '@signalbox/contract';
import { type Selectable, sql } from 'kysely';
import type { AlertDeliveryTable } from '../../database/alert.schema.ts';
import type { State, StateReader } from '../../database/database.ts';
import type { AlertInput } from './alert-input.ts';

export type DeliveryRow = Selectable<AlertDeliveryTable>;

/** A literal, because the partial index of waiting messages is only used with a literal. */
const isWaiting = sql<boolean>`d.state = 'waiting'`;

const earliestOfTheirQueue = sql<boolean>`not exists (
  select 1 from alert_delivery o where o.state = 'waiting' and o.queue = d.queue and o.id < d.id)`;

export interface Claim {
  /** Identity of the sending server. */
  readonly lease: string;
  readonly until: Date;
  readonly now: Date;
  readonly channels: readonly DeliveryRow['channel'][];
  readonly limit: number;
}

/**
 * Leases messages that are due: the oldest of each queue, unless another server is sending it. The update compares
 * and counts the attempts, so only one of several servers gets a message.
 */
export const claimDeliveries = async (
  db: State,
  { lease, until, now, channels, limit }: Claim,
): Promise<DeliveryRow[]> => {
  if (limit <= 0) return [];
  const stamp = now.toISOString();
  const due = await db
    .selectFrom('alert_delivery as d')
    .select(['d.id', 'd.attempts'])
    .where(isWaiting)
    .where('d.channel', 'in', channels)
    .where('d.next_attempt', '<=', stamp)
    .where((eb) => eb.or([eb('d.lease_until', 'is', null), eb('d.lease_until', '<=', stamp)]))
    .where(earliestOfTheirQueue)
    .orderBy('d.next_attempt')
    .orderBy('d.id')
    .limit(limit)
    .execute();
  const claimed: DeliveryRow[] = [];
  for (const { id, attempts } of due) {
    const row = await db
      .updateTable('alert_delivery')
      .set({ lease, lease_until: until.toISOString(), attempts: attempts + 1 })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .where('attempts', '=', attempts)
      .returningAll()
      .executeTakeFirst();
    if (row) claimed.push(row);
  }
  return claimed;
};

/** Extends the leases of messages that are being sent. */
export const renewLeases = async (db: State, lease: string, ids: readonly number[], until: Date): Promise<void> => {
  await db
    .updateTable('alert_delivery')
    .set({ lease_until: until.toISOString() })
    .where('lease', '=', lease)
    .where('id', 'in', ids)
    .execute();
};

export interface DeliveryResult {
  readonly state: DeliveryState;
  readonly fault: AlertDeliveryError | null;
  readonly detail: string;
  /** Time of the next attempt; null for none. */
  readonly nextAttempt: Date | null;
  readonly now: Date;
}

/** Stores the result of an attempt, unless another server has taken the message over. */
export const storeDeliveryResult = async (
  db: State,
  { id, lease }: Pick<DeliveryRow, 'id' | 'lease'>,
  { state, fault, detail, nextAttempt, now }: DeliveryResult,
): Promise<void> => {
  await db
    .updateTable('alert_delivery')
    .set({
      state,
      fault,
      detail,
      next_attempt: nextAttempt?.toISOString() ?? null,
      lease: null,
      lease_until: null,
      ...(state === 'waiting' ? {} : { ended: now.toISOString() }),
    })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .execute();
};

/** Time at which the next message is due or its lease ends; undefined when none is waiting. */
export const nextDue = async (db: StateReader): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('alert_delivery as d')
    .select(
      sql<string | null>`min(case when d.lease_until > d.next_attempt then d.lease_until else d.next_attempt end)`.as(
        'at',
      ),
    )
    .where(isWaiting)
    .where(earliestOfTheirQueue)
    .executeTakeFirst();
  return row?.at ? new Date(row.at) : undefined;
};

const statusOf = (input: AlertInput): string => {
  if ('not_started' in input) return 'not_started';
  if ('silent' in input) return 'hosts_silent';
  return 'pending' in input ? 'approval_needed' : input.task.status;
};

/** Lists the deliveries of a project, newest first. */
export const listDeliveries = async (
  db: StateReader,
  projectId: number,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<AlertDelivery[]> => {
  let query = db
    .selectFrom('alert_delivery')
    .innerJoin('alert', 'alert.id', 'alert_delivery.alert_id')
    .selectAll('alert_delivery')
    .select(['alert.task_id', 'alert.schedule_id', 'alert.input'])
    .where('alert_delivery.project_id', '=', projectId);
  if (before !== undefined) query = query.where('alert_delivery.id', '<', before);
  const rows = await query.orderBy('alert_delivery.id', 'desc').limit(limit).execute();
  return rows.map((row) => {
    const input = JSON.parse(row.input) as AlertInput;
    const isSchedule = 'not_started' in input;
    return {
      id: row.id,
      project_id: row.project_id,
      task_id: row.task_id,
      schedule_id: row.schedule_id,
      schedule: isSchedule ? input.not_started.schedule.name : '',
      template: input.template.name,
      status: statusOf(input),
      channel: row.channel,
      receiver: row.name,
      state: row.state,
      attempts: row.attempts,
      fault: row.fault,
      detail: row.detail,
      created: row.created,
      next_attempt: row.state === 'waiting' ? row.next_attempt : null,
      ended: row.ended,
    };
  });
};

/** Maximum number of alerts that one sweep deletes. */
const PAGE = 500;

/**
 * Deletes some old alerts with their deliveries.
 * @returns whether there may be more
 */
export const sweepAlerts = async (db: State, olderThan: Date): Promise<boolean> => {
  const old = await db
    .selectFrom('alert')
    .select('id')
    .where('created', '<', olderThan.toISOString())
    .orderBy('created')
    .limit(PAGE)
    .execute();
  if (old.length > 0)
    await db
      .deleteFrom('alert')
      .where(
        'id',
        'in',
        old.map(({ id }) => id),
      )
      .execute();
  return old.length === PAGE;
};
