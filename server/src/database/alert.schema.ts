import type { AlertChannel, AlertFault, DeliveryState, ReceiverKind } from '@signalbox/contract';
import type { ColumnType, Generated } from 'kysely';

type Flag = 0 | 1;
type Id = Generated<number>;
/** Set once, at the insert. */
type Fixed<T> = ColumnType<T, T, never>;

/** A place that alerts of a project are posted to. */
export interface AlertReceiverTable {
  id: Id;
  project_id: Fixed<number>;
  name: string;
  kind: ReceiverKind;
  active: Flag;
  /** Whether a secret to sign with is among what is encrypted. */
  has_secret: Flag;
  /** Encrypted JSON of the address and the secret, bound to this row. */
  secret: string;
}

/** A task whose end somebody is told of, written in the transaction that ends it. */
export interface AlertTable {
  id: Id;
  project_id: Fixed<number>;
  task_id: Fixed<number>;
  created: Fixed<string>;
  /** JSON of what is told of the task, as it was when it ended. */
  facts: Fixed<string>;
  /** JSON of what its results say; null until they were looked at. */
  findings: ColumnType<string | null, undefined, string>;
}

/** One message of an alert to one receiver. */
export interface AlertDeliveryTable {
  id: Id;
  alert_id: Fixed<number>;
  project_id: Fixed<number>;
  channel: Fixed<AlertChannel>;
  /** Messages of one queue are sent one after the other, in the order of their ids. */
  queue: Fixed<string>;
  /** For the channel `email`; null too when the user is deleted. */
  user_id: Fixed<number | null>;
  /** For receivers of the project; null too when it is deleted. */
  receiver_id: Fixed<number | null>;
  /** Name of the user or of the receiver. */
  name: Fixed<string>;
  /** The same in every attempt: receivers tell by it what they have already. */
  message_id: Fixed<string>;
  created: Fixed<string>;
  state: DeliveryState;
  attempts: ColumnType<number, undefined, number>;
  next_attempt: string | null;
  /** Whoever sends it at this moment, and until when nobody else may. */
  lease: ColumnType<string | null, undefined, string | null>;
  lease_until: ColumnType<string | null, undefined, string | null>;
  fault: ColumnType<AlertFault | null, undefined, AlertFault | null>;
  detail: ColumnType<string, undefined, string>;
  ended: ColumnType<string | null, undefined, string>;
}
