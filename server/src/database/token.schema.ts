import type { ColumnType, Generated } from 'kysely';

/** Written once, when the row is inserted. */
type Fixed<T> = ColumnType<T, T, never>;

export interface ApiTokenTable {
  id: Generated<number>;
  user_id: Fixed<number>;
  name: Fixed<string>;
  token_hash: Fixed<string>;
  /** The first characters of the token, by which users recognize it. */
  prefix: Fixed<string>;
  created: Fixed<string>;
  last_used: string | null;
  /** When the token stops working; null for never. */
  expires_at: ColumnType<string | null, string | null | undefined, never>;
  /** Separated by commas. */
  scopes: ColumnType<string, string | undefined, never>;
  /**
   * JSON lists of the ids of projects and templates to which the token is restricted; null for all. Ids are never reused,
   * so those of deleted ones do no harm, and a list never becomes empty.
   */
  projects: ColumnType<string | null, string | null | undefined, never>;
  templates: ColumnType<string | null, string | null | undefined, never>;
  /** IP address of the last use; empty if it was never used. */
  last_address: ColumnType<string, undefined, string>;
}
