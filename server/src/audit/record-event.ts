import type { EventMessage } from '@signalbox/contract';
import type { StateTransaction } from '../database/database.ts';

/** Who acts: a signed-in user and their address, or the system itself. */
export interface Actor {
  readonly userId: number | null;
  readonly address: string;
}

export const SYSTEM: Actor = { userId: null, address: '' };

/** What happened, and who did it to what, when. */
export type EventFacts = EventMessage & {
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
export const insertEvent = async (tx: StateTransaction, facts: EventFacts): Promise<number> => {
  const { id } = await tx
    .insertInto('event')
    .values({
      user_id: facts.actor.userId,
      project_id: facts.projectId,
      object_id: facts.objectId,
      object_type: facts.objectType,
      object_name: facts.objectName,
      kind: facts.kind,
      params: JSON.stringify(facts.params),
      address: facts.actor.address,
      created: facts.at.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** Replaces what an event tells, for one that grows while its work goes on. */
export const updateEvent = async (tx: StateTransaction, id: number, { kind, params }: EventMessage): Promise<void> => {
  await tx
    .updateTable('event')
    .set({ kind, params: JSON.stringify(params) })
    .where('id', '=', id)
    .execute();
};

export const recordEvent = async (tx: StateTransaction, facts: EventFacts): Promise<void> => {
  await insertEvent(tx, facts);
};
