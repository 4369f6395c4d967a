/**
 * Why a sign-in outside did not get anybody in. The page has a sentence for each.
 *
 * `lost` means that this browser did not set out on the way it came back from, or that somebody changed that way.
 */
export type SignOnFault =
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

/** A sign-in outside that ends without a session. */
export class SignOnFailure extends Error {
  override readonly name = 'SignOnFailure';
  readonly fault: SignOnFault;

  /** @param why for the log: it must hold no secret */
  constructor(fault: SignOnFault, why: string = fault) {
    super(why);
    this.fault = fault;
  }
}
