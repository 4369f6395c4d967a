import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

/** The tables with secret answers of objects that start tasks. */
export type AnswerTable = 'schedule_secret' | 'webhook_secret';

const context = (table: AnswerTable, id: number) => `${table}:${id}` as const;

/** Encrypts a secret answer of a schedule or a webhook for its own row. */
export const encryptAnswer = (master: MasterKey, table: AnswerTable, id: number, value: string): string =>
  encrypt(master, context(table, id), value);

export const decryptAnswer = (
  master: MasterKey,
  table: AnswerTable,
  row: { readonly id: number; readonly secret: string },
): string => decrypt(master, context(table, row.id), row.secret);
