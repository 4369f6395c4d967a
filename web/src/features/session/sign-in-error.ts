/** Catalogue keys of the errors of a provider sign-in, by the code that the server puts into the address. */
const SENTENCES = {
  unknown_provider: 'signIn.faultUnknownProvider',
  provider_down: 'signIn.faultProviderDown',
  denied: 'signIn.faultDenied',
  lost: 'signIn.faultLost',
  expired: 'signIn.faultExpired',
  used: 'signIn.faultUsed',
  issuer: 'signIn.faultIssuer',
  clock: 'signIn.faultClock',
  refused: 'signIn.faultRefused',
  conflict: 'signIn.faultConflict',
  too_many: 'signIn.faultTooMany',
  failed: 'signIn.faultFailed',
} as const;

/** The text for an error code in the address; undefined for an unknown code. */
export const faultSentence = (fault: string | null): (typeof SENTENCES)[keyof typeof SENTENCES] | undefined =>
  fault !== null && Object.hasOwn(SENTENCES, fault) ? SENTENCES[fault as keyof typeof SENTENCES] : undefined;
