import type { ColumnType, Generated } from 'kysely';

/** Written once, when the row is inserted. */
type Fixed<T> = ColumnType<T, T, never>;

/** A token with which runners register. */
export interface RunnerRegistrationTable {
  id: Generated<number>;
  name: Fixed<string>;
  token_hash: Fixed<string>;
  /** JSON list of the tags of the runners that register with it. */
  tags: Fixed<string>;
  uses: Fixed<number>;
  uses_left: number;
  expires: Fixed<string>;
  created: Fixed<string>;
  /** The user who created it; null if the user was deleted. */
  created_by: Fixed<number | null>;
}
