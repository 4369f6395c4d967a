import type { SenderCheck, WebhookResult } from '@signalbox/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Flag } from './column-types.ts';

export interface WebhookTable {
  id: Generated<number>;
  project_id: ColumnType<number, number, never>;
  template_id: number;
  name: string;
  active: Flag;
  /** Hash of the secret part of the address. */
  token_hash: string;
  sender_check: SenderCheck;
  signature_header: string;
  delivery_header: string;
  has_secret: Flag;
  /** Encrypted; empty without a secret. The id of the row is part of the encryption context. */
  secret: string;
  /** Matchers, extractors and launch values as JSON. */
  matchers: string;
  extractors: string;
  launch_values: string;
  last_call: ColumnType<string | null, undefined, string | null>;
}

/** A secret answer of the launch values of a webhook. */
export interface WebhookSecretTable {
  id: Generated<number>;
  webhook_id: ColumnType<number, number, never>;
  /** Name of the variable. */
  name: ColumnType<string, string, never>;
  /** Encrypted. The id of the row is part of the encryption context. */
  secret: string;
}

/** A delivery that started a task, so that it starts no other one. */
export interface WebhookDeliveryTable {
  id: Generated<number>;
  webhook_id: ColumnType<number, number, never>;
  /** Hash of the delivery id, or of a signed body. */
  delivery: ColumnType<string, string, never>;
  task_id: number | null;
  created: ColumnType<string, string, never>;
}

/** A received call. */
export interface WebhookCallTable {
  id: Generated<number>;
  webhook_id: ColumnType<number, number, never>;
  created: ColumnType<string, string, never>;
  sender: string;
  event: string;
  result: WebhookResult;
  task_id: number | null;
  /** A message as JSON: why the call started no task; null if it did. */
  reason: string | null;
  size: number;
  /** Whether the sender was verified. */
  verified: Flag;
  /** Headers without secrets, as JSON. */
  headers: string;
  /** The first bytes of the body as text. */
  body: string;
}
