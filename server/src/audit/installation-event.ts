import type { StateTransaction } from '../database/database.ts';
import { type Actor, recordEvent } from './record-event.ts';

/** What happened to something that belongs to no project; `description` is a whole sentence for people. */
export const recordInstallationEvent = (
  tx: StateTransaction,
  objectType: 'user' | 'token' | 'runner' | 'project',
  object: { readonly id: number; readonly name: string },
  description: string,
  actor: Actor,
  at: Date,
): Promise<void> =>
  recordEvent(tx, {
    actor,
    projectId: null,
    objectType,
    objectId: object.id,
    objectName: object.name,
    description,
    at,
  });

/** The same of a user, who is told by the username. */
export const recordUserEvent = (
  tx: StateTransaction,
  { id, username }: { readonly id: number; readonly username: string },
  description: string,
  actor: Actor,
  at: Date,
): Promise<void> => recordInstallationEvent(tx, 'user', { id, name: username }, description, actor, at);
