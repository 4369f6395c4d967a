import type { EventMessage } from '@signalbox/contract';
import type { StateTransaction } from '../database/database.ts';
import { isRestrictedEvent } from './event-restriction.ts';
import { queueAuditEntry, replaceAuditEntry } from './export/audit-entry.ts';

/** The user, the IP address and the API token that caused an event, or the system. */
export interface Actor {
  readonly userId: number | null;
  readonly address: string;
  /** The API token of the call. */
  readonly token?: { readonly id: number; readonly name: string } | undefined;
}

export const SYSTEM: Actor = { userId: null, address: '' };

/** An event to record: what happened, when, who did it and to which object. */
export type EventInput = EventMessage & {
  readonly actor: Actor;
  readonly projectId: number | null;
  readonly objectType: string;
  readonly objectId: number | null;
  readonly objectName: string;
  readonly at: Date;
};

/**
 * Stores an event in the transaction of the change, so that both are stored or neither.
 * @returns the id of the event
 */
export const insertEvent = async (tx: StateTransaction, input: EventInput): Promise<number> => {
  const { id } = await tx
    .insertInto('event')
    .values({
      user_id: input.actor.userId,
      project_id: input.projectId,
      object_id: input.objectId,
      object_type: input.objectType,
      object_name: input.objectName,
      kind: input.kind,
      params: JSON.stringify(input.params),
      address: input.actor.address,
      token_id: input.actor.token?.id ?? null,
      token_name: input.actor.token?.name ?? '',
      created: input.at.toISOString(),
      restricted: (await isRestrictedEvent(tx, input)) ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queueAuditEntry(tx, id, input);
  return id;
};

/** Replaces the kind and parameters of an event that is updated while its work goes on. */
export const updateEvent = async (tx: StateTransaction, id: number, { kind, params }: EventMessage): Promise<void> => {
  await tx
    .updateTable('event')
    .set({ kind, params: JSON.stringify(params) })
    .where('id', '=', id)
    .execute();
  await replaceAuditEntry(tx, id);
};

export const recordEvent = async (tx: StateTransaction, input: EventInput): Promise<void> => {
  await insertEvent(tx, input);
};
