import type { StateTransaction } from '../database/database.ts';
import { type Actor, recordEvent } from './record-event.ts';

interface NamedObject {
  readonly id: number;
  readonly project_id: number;
  readonly name: string;
}

type ObjectEvent = (tx: StateTransaction, kind: string, object: NamedObject, actor: Actor, at: Date) => Promise<void>;

/** What happened to an object of a project, as a sentence that `verb` ends. */
export const objectEvent =
  (verb: string): ObjectEvent =>
  (tx, kind, object, actor, at) =>
    recordEvent(tx, {
      actor,
      projectId: object.project_id,
      objectType: kind.toLowerCase().replaceAll(' ', '_'),
      objectId: object.id,
      objectName: object.name,
      description: `${kind} ${object.name} ${verb}`,
      at,
    });

/** The events that every object of a project brings in its life. */
export const recordCreated = objectEvent('created');
export const recordDeleted = objectEvent('deleted');
