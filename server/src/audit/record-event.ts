import type { StateTransaction } from '../database/database.ts';

/** Who acts: a signed-in user and their address, or the system itself. */
export interface Actor {
  readonly userId: number | null;
  readonly address: string;
}

export const SYSTEM: Actor = { userId: null, address: '' };

export interface EventFacts {
  readonly actor: Actor;
  readonly projectId: number | null;
  readonly objectType: string;
  readonly objectId: number | null;
  readonly objectName: string;
  /** A whole sentence for people: what happened. */
  readonly description: string;
  readonly at: Date;
}

/** Writes who did what, in the transaction of what was done: both are stored or neither. */
export const recordEvent = async (tx: StateTransaction, facts: EventFacts): Promise<void> => {
  await tx
    .insertInto('event')
    .values({
      user_id: facts.actor.userId,
      project_id: facts.projectId,
      object_id: facts.objectId,
      object_type: facts.objectType,
      object_name: facts.objectName,
      description: facts.description,
      address: facts.actor.address,
      created: facts.at.toISOString(),
    })
    .execute();
};
