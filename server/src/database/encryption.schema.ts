import type { ColumnType, Generated } from 'kysely';

type Id = Generated<number>;
/** Written once, when the row is inserted. */
type Fixed<T> = ColumnType<T, T, never>;

/** The secret from which the keys of all runs are derived; one row. */
export interface LeaseSecretTable {
  id: Id;
  /** Encrypted. The id of the row is part of the encryption context. */
  secret: string;
}

/** The encryption keys of a server that runs, or that was killed. */
export interface ServerKeysTable {
  id: Id;
  /** The machine and process, for messages. */
  server: Fixed<string>;
  /** Ids of keys, separated by commas: the server encrypts with the first and decrypts with all. */
  keys: Fixed<string>;
  /** Increased every 5 seconds while the server runs. Readers compare values, so clocks need not agree. */
  heartbeats: number;
}
