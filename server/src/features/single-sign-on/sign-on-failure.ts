/**
 * Why a sign-in with a provider failed. The page has a text for each reason.
 *
 * `lost` means that this browser did not start the authorization request, or that the callback was modified.
 */
export type SignOnFailureCode =
  | 'unknown_provider'
  | 'provider_down'
  | 'denied'
  | 'lost'
  | 'expired'
  | 'used'
  | 'issuer'
  | 'clock'
  | 'refused'
  | 'conflict'
  | 'too_many'
  | 'failed';

/** A sign-in with a provider that ends without a session. */
export class SignOnFailure extends Error {
  override readonly name = 'SignOnFailure';
  readonly failure: SignOnFailureCode;

  /** @param why text for the log; must not contain a secret */
  constructor(failure: SignOnFailureCode, why: string = failure) {
    super(why);
    this.failure = failure;
  }
}
