import { generateSecret, generateURI, verifySync } from 'otplib/functional';

/** A code holds for so many seconds: what every authenticator app does unless told. */
const STEP_SECONDS = 30;
/** The codes before and after the one of now fit too: clocks differ, and people type. */
const TOLERANCE_SECONDS = STEP_SECONDS;

/** A new secret to share with an authenticator app: 160 random bits in base32. */
export const newSecret = (): string => generateSecret();

/**
 * Names are cut here, in letters of the address. More, and the squares of the QR code become too small for a camera; much
 * more, and there is no QR code for it.
 */
const MAX_NAME = 180;
const MAX_HOST = 90;

/** As much of a text as fits, in whole characters as people see them. A colon parts the issuer from the name. */
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
 * The address that authenticator apps read as a QR code.
 * @param host where the user signs in, to tell this server from others
 */
export const otpauthUri = (secret: string, username: string, host: string): string =>
  generateURI({ issuer: `Signalbox ${named(host, MAX_HOST)}`, label: named(username, MAX_NAME), secret });

/** Arabic and Persian keyboards have digits of their own, also where a page asks for numbers. */
const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** A code as it was typed or pasted, without what people and programs put between and around its letters. */
export const bareCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(ARABIC_DIGIT, (digit) => String((digit.codePointAt(0) ?? 0) % 16))
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

export const isOneTimeCode = (bare: string): boolean => /^\d{6}$/.test(bare);

/** The time step whose code this is, of those that fit now; undefined for a wrong code. */
export const stepOf = (secret: string, bare: string, now: Date): number | undefined => {
  const result = verifySync({
    secret,
    token: bare,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: TOLERANCE_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
};
