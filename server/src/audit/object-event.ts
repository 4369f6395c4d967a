import type { EventKind, EventMessage, EventParams } from '@signalbox/contract';
import type { StateTransaction } from '../database/database.ts';
import { type Actor, recordEvent } from './record-event.ts';

/** The objects of a project, as kinds of events name them. */
export type ObjectNoun =
  | 'alert_receiver'
  | 'environment'
  | 'freeze_window'
  | 'inventory'
  | 'key'
  | 'label'
  | 'repository'
  | 'saved_filter'
  | 'saved_launch'
  | 'schedule'
  | 'template'
  | 'view'
  | 'webhook';

interface NamedObject {
  readonly id: number;
  readonly project_id: number;
  readonly name: string;
}

type ObjectEvent = Extract<EventMessage, { readonly kind: `${ObjectNoun}.${string}` }>;
export type ChangeParams = EventParams<'template.changed'>;
/** Records a change of one object. */
export type ChangeEvent = Extract<
  ObjectEvent,
  { readonly kind: `${string}.${'changed' | 'paused' | 'resumed'}${string}` }
>;

/** Records an event of an object in a project. */
export const recordObjectEvent = (
  tx: StateTransaction,
  noun: ObjectNoun,
  object: NamedObject,
  event: ObjectEvent,
  actor: Actor,
  at: Date,
): Promise<void> =>
  recordEvent(tx, {
    ...event,
    actor,
    projectId: object.project_id,
    objectType: noun,
    objectId: object.id,
    objectName: object.name,
    at,
  });

const recorder =
  <Verb extends 'created' | 'deleted'>(verb: Verb) =>
  (tx: StateTransaction, noun: ObjectNoun, object: NamedObject, actor: Actor, at: Date): Promise<void> =>
    recordObjectEvent(
      tx,
      noun,
      object,
      { kind: `${noun}.${verb}` satisfies EventKind, params: { name: object.name } } as ObjectEvent,
      actor,
      at,
    );

export const recordCreated = recorder('created');
export const recordDeleted = recorder('deleted');
