import type { StateTransaction } from '../database/database.ts';
import { type Actor, recordEvent } from './record-event.ts';

/** The event that every new object of a project brings. */
export const recordCreated = (
  tx: StateTransaction,
  kind: string,
  object: { readonly id: number; readonly project_id: number; readonly name: string },
  actor: Actor,
  at: Date,
): Promise<void> =>
  recordEvent(tx, {
    actor,
    projectId: object.project_id,
    objectType: kind.toLowerCase().replaceAll(' ', '_'),
    objectId: object.id,
    objectName: object.name,
    description: `${kind} ${object.name} created`,
    at,
  });
