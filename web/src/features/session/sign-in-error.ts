/** Catalogue keys of the errors of a provider sign-in, by the code that the server puts into the URL. */
const TEXTS = {
  unknown_provider: 'signIn.errorUnknownProvider',
  provider_down: 'signIn.errorProviderDown',
  denied: 'signIn.errorDenied',
  lost: 'signIn.errorLost',
  expired: 'signIn.errorExpired',
  used: 'signIn.errorUsed',
  issuer: 'signIn.errorIssuer',
  clock: 'signIn.errorClock',
  refused: 'signIn.errorRefused',
  conflict: 'signIn.errorConflict',
  too_many: 'signIn.errorTooMany',
  failed: 'signIn.errorFailed',
} as const;

/** The text for an error code in the URL; undefined for an unknown code. */
export const signInErrorKey = (errorCode: string | null): (typeof TEXTS)[keyof typeof TEXTS] | undefined =>
  errorCode !== null && Object.hasOwn(TEXTS, errorCode) ? TEXTS[errorCode as keyof typeof TEXTS] : undefined;
