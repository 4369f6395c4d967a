import type { StateSchema } from '../database/schema.ts';

/**
 * Every column with encrypted values, by the prefix of its encryption context. Changing the key re-encrypts these
 * columns, so a missing entry would leave secrets behind.
 */
export const ENCRYPTED_COLUMNS = {
  access_key: { table: 'access_key', column: 'secret' },
  environment_secret: { table: 'environment_secret', column: 'secret' },
  task_secret: { table: 'task_secret', column: 'secret' },
  schedule_secret: { table: 'schedule_secret', column: 'secret' },
  webhook_secret: { table: 'webhook_secret', column: 'secret' },
  second_factor: { table: 'second_factor', column: 'secret' },
  lease_secret: { table: 'lease_secret', column: 'secret' },
  log_store: { table: 'log_store', column: 'secret' },
  webhook: { table: 'webhook', column: 'secret' },
  alert_receiver: { table: 'alert_receiver', column: 'secret' },
} as const satisfies Readonly<Record<string, { readonly table: keyof StateSchema; readonly column: string }>>;

/**
 * The context of a cookie that lives for minutes. It becomes invalid when the key changes, and the user signs in
 * again.
 */
type CookieContext = 'sign_in_trip:0';

/** The context of a query or answer that another server reads within a minute, and then deletes. */
type RelayedContext = `relayed_${'query' | 'answer'}:${number}`;

/**
 * The encryption context (AAD) of a secret, such as `access_key:12`. A ciphertext that was moved to another row
 * cannot be decrypted.
 */
export type SecretContext = `${keyof typeof ENCRYPTED_COLUMNS}:${number}` | CookieContext | RelayedContext;
