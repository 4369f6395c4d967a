import type { ColumnType, Generated } from 'kysely';

type Id = Generated<number>;
/** Set once, at the insert. */
type Fixed<T> = ColumnType<T, T, never>;

/** What a user shares with their authenticator app. */
export interface SecondFactorTable {
  id: Id;
  user_id: Fixed<number>;
  /** Encrypted, bound to this row. */
  secret: string;
  created: Fixed<string>;
  /** When a first code of it was given; until then it counts for nothing. */
  confirmed: string | null;
  /** The newest time step, in units of 30 s since 1970, whose code was taken: older ones are never taken again. */
  last_step: number | null;
}

/** A recovery code that was not used yet. */
export interface RecoveryCodeTable {
  id: Id;
  user_id: Fixed<number>;
  code_hash: Fixed<string>;
}

/** A sign-in whose password was right, and which waits for its code. */
export interface HeldSignInTable {
  id: Id;
  user_id: Fixed<number>;
  token_hash: Fixed<string>;
  expires: Fixed<string>;
}
