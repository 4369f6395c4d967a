/** The sentence for each way in which a sign-in with a provider may fail; the server names it in the address. */
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

/** The sentence for what went wrong; undefined where nothing did, or nothing that is known. */
export const faultSentence = (fault: string | null): (typeof SENTENCES)[keyof typeof SENTENCES] | undefined =>
  fault !== null && Object.hasOwn(SENTENCES, fault) ? SENTENCES[fault as keyof typeof SENTENCES] : undefined;
