import { generateSecret, generateURI, verifySync } from 'otplib/functional';

/** Validity of a code, in seconds. The default of every authenticator app. */
const STEP_SECONDS = 30;
/** The previous and next codes are accepted too, because clocks differ and typing takes time. */
const TOLERANCE_SECONDS = STEP_SECONDS;

/** Creates a secret for an authenticator app: 160 random bits in base32. */
export const newSecret = (): string => generateSecret();

/**
 * Maximum length of names in the address. With longer names the QR code becomes too fine for a camera, or impossible.
 */
const MAX_NAME = 180;
const MAX_HOST = 90;

/** Cuts a text to whole characters as users see them. Removes colons, which separate issuer and name. */
const named = (text: string, most: number): string => {
  const whole = text.replaceAll(':', ' ');
  if (encodeURIComponent(whole).length <= most) return whole;
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(whole)) {
    if (encodeURIComponent(`${cut}${segment}…`).length > most) break;
    cut += segment;
  }
  return `${cut}…`;
};

/**
 * Returns the address that authenticator apps read from a QR code.
 * @param host name of the server, to distinguish several servers
 */
export const otpauthUri = (secret: string, username: string, host: string): string =>
  generateURI({ issuer: `Signalbox ${named(host, MAX_HOST)}`, label: named(username, MAX_NAME), secret });

/** Arabic and Persian keyboards type digits of their own. */
const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** Removes separators and other decoration from a code that was typed or pasted. */
export const bareCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(ARABIC_DIGIT, (digit) => String((digit.codePointAt(0) ?? 0) % 16))
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

export const isOneTimeCode = (bare: string): boolean => /^\d{6}$/.test(bare);

/** Returns the time step of a valid code; undefined for a wrong code. */
export const stepOf = (secret: string, bare: string, now: Date): number | undefined => {
  const result = verifySync({
    secret,
    token: bare,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: TOLERANCE_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
};
