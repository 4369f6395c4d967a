import type { ColumnType, Generated } from 'kysely';

type Id = Generated<number>;
/** Written once, when the row is inserted. */
type Fixed<T> = ColumnType<T, T, never>;

/** The secret that a user shares with an authenticator app. */
export interface SecondFactorTable {
  id: Id;
  user_id: Fixed<number>;
  /** Encrypted. The id of the row is part of the encryption context. */
  secret: string;
  created: Fixed<string>;
  /** When the first code was accepted; the factor is inactive until then. */
  confirmed: string | null;
  /** The newest time step, in units of 30 s since 1970, whose code was accepted. Older codes are refused. */
  last_step: number | null;
}

/** An unused recovery code. */
export interface RecoveryCodeTable {
  id: Id;
  user_id: Fixed<number>;
  code_hash: Fixed<string>;
}

/** A sign-in with a correct password that waits for a code. */
export interface HeldSignInTable {
  id: Id;
  user_id: Fixed<number>;
  token_hash: Fixed<string>;
  expires: Fixed<string>;
}
