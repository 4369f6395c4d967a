import type { ColumnType, Generated } from 'kysely';

/** Written once, when the row is inserted. */
type Fixed<T> = ColumnType<T, T, never>;

/** A sign-in attempt that failed or is still running. A successful one has no row. */
export interface SignInAttemptTable {
  id: Generated<number>;
  /** Hash of the network that the attempt came from. */
  network_key: Fixed<string>;
  /** Hash of the network and the account, so that a password typed as a login is not stored. */
  account_key: Fixed<string>;
  /** 1 while the password or code is being verified. */
  pending: 0 | 1;
  /** When the attempt failed; while it is pending, when it began. */
  at: string;
}

/** The identity of a user at a provider or directory. */
export interface IdentityTable {
  id: Generated<number>;
  user_id: Fixed<number>;
  /** `oidc:` or `ldap:`, followed by the id of the provider or directory in the settings. */
  source: Fixed<string>;
  /** The permanent identifier of the user at the provider or directory. */
  subject: Fixed<string>;
  created: Fixed<string>;
  last_used: string;
}

/** A used callback of a provider: the row prevents a second use until the authorization request has expired. */
export interface UsedReturnTable {
  state_hash: Fixed<string>;
  expires: Fixed<string>;
}

/** A mail with a link by which a user confirms an email address. */
export interface AddressProofTable {
  id: Generated<number>;
  user_id: Fixed<number>;
  /** The address that the mail was sent to. */
  email: Fixed<string>;
  /** Hash of the token in the link; null once the link was used, or the user changed the address. */
  token_hash: string | null;
  created: Fixed<string>;
}
