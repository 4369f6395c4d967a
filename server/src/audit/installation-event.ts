import type { EventMessage } from '@signalbox/contract';
import type { StateTransaction } from '../database/database.ts';
import { changeParams } from './changed-fields.ts';
import { type Actor, recordEvent } from './record-event.ts';

/** Records an event that belongs to no project. */
export const recordInstallationEvent = (
  tx: StateTransaction,
  objectType: 'user' | 'token' | 'runner' | 'runner_registration' | 'project',
  object: { readonly id: number; readonly name: string },
  event: EventMessage,
  actor: Actor,
  at: Date,
): Promise<void> =>
  recordEvent(tx, { ...event, actor, projectId: null, objectType, objectId: object.id, objectName: object.name, at });

interface User {
  readonly id: number;
  readonly username: string;
}

type UserKind = Extract<EventMessage, { readonly params: { readonly user: string } }>['kind'] & `user.${string}`;
/** Kinds whose only parameter is the name of the user. */
type PlainUserKind = {
  [Kind in UserKind]: { readonly user: string } extends Extract<EventMessage, { readonly kind: Kind }>['params']
    ? Kind
    : never;
}[UserKind];

/** Records an event of a user with the username as its only parameter. */
export const recordUserEvent = (
  tx: StateTransaction,
  { id, username }: User,
  kind: PlainUserKind,
  actor: Actor,
  at: Date,
): Promise<void> =>
  recordInstallationEvent(tx, 'user', { id, name: username }, { kind, params: { user: username } }, actor, at);

/** Records which columns of a user were changed. */
export const recordUserChange = (
  tx: StateTransaction,
  before: User,
  columns: { readonly username?: string | undefined },
  kind: 'user.changed' | 'user.changed_on_command_line',
  actor: Actor,
  at: Date,
): Promise<void> => {
  const user = columns.username ?? before.username;
  const params = { user, ...changeParams(before, columns, { name: user, oldName: before.username }) };
  return recordInstallationEvent(tx, 'user', { id: before.id, name: before.username }, { kind, params }, actor, at);
};
