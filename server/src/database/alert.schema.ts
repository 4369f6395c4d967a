import type { AlertChannel, AlertDeliveryError, DeliveryState, ReceiverKind } from '@signalbox/contract';
import type { ColumnType, Generated } from 'kysely';

type Flag = 0 | 1;
type Id = Generated<number>;
/** Written once, when the row is inserted. */
type Fixed<T> = ColumnType<T, T, never>;

/** A web address to which alerts of a project are posted. */
export interface AlertReceiverTable {
  id: Id;
  project_id: Fixed<number>;
  name: string;
  kind: ReceiverKind;
  active: Flag;
  /** Whether the encrypted part contains a secret for signatures. */
  has_secret: Flag;
  /** Encrypted JSON with the address and the secret. The id of the row is part of the encryption context. */
  secret: string;
}

/**
 * The end of a task, or a schedule that started none, that users are notified of. Stored in the transaction of the
 * cause.
 */
export interface AlertTable {
  id: Id;
  project_id: Fixed<number>;
  /** Null for an alert of a schedule. */
  task_id: Fixed<number | null>;
  /** The schedule that started no task; null for the end of a task. */
  schedule_id: ColumnType<number | null, number | null | undefined, never>;
  /** JSON of the reason, to find earlier alerts of the same schedule and reason. */
  schedule_reason: ColumnType<string | null, string | null | undefined, never>;
  created: Fixed<string>;
  /** JSON with the values of the task when it ended, or of the schedule. */
  input: Fixed<string>;
  /** JSON with details from the results of the run; null until they were read. */
  findings: ColumnType<string | null, undefined, string>;
}

/** One message of an alert to one recipient. */
export interface AlertDeliveryTable {
  id: Id;
  alert_id: Fixed<number>;
  project_id: Fixed<number>;
  channel: Fixed<AlertChannel>;
  /** Messages of a queue are sent one after the other, in the order of their ids. */
  queue: Fixed<string>;
  /** For the channel `email`; null after the user was deleted. */
  user_id: Fixed<number | null>;
  /** For receivers of the project; null after the receiver was deleted. */
  receiver_id: Fixed<number | null>;
  /** Name of the user or receiver. */
  name: Fixed<string>;
  /** The same for every attempt, so that recipients can drop duplicates. */
  message_id: Fixed<string>;
  created: Fixed<string>;
  state: DeliveryState;
  attempts: ColumnType<number, undefined, number>;
  next_attempt: string | null;
  /** Identity of the server that is sending the message, and when its lease ends. */
  lease: ColumnType<string | null, undefined, string | null>;
  lease_until: ColumnType<string | null, undefined, string | null>;
  fault: ColumnType<AlertDeliveryError | null, undefined, AlertDeliveryError | null>;
  detail: ColumnType<string, undefined, string>;
  ended: ColumnType<string | null, undefined, string>;
}
