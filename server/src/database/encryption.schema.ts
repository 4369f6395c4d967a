import type { ColumnType, Generated } from 'kysely';

type Id = Generated<number>;
/** Set once, at the insert. */
type Fixed<T> = ColumnType<T, T, never>;

/** What the keys of all leases are made from: one row. */
export interface LeaseSecretTable {
  id: Id;
  /** Encrypted, bound to this row. */
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
  beats: number;
}
