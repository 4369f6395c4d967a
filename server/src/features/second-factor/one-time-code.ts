import { generateSecret, generateURI, verifySync } from 'otplib/functional';

/** A code holds for so many seconds: what every authenticator app does unless told. */
const STEP_SECONDS = 30;
/** The codes before and after the one of now fit too: clocks differ, and people type. */
const TOLERANCE_SECONDS = STEP_SECONDS;

/** A new secret to share with an authenticator app: 160 random bits in base32. */
export const newSecret = (): string => generateSecret();

/**
 * The address that authenticator apps read as a QR code.
 * @param host where the user signs in, to tell this server from others
 */
export const otpauthUri = (secret: string, username: string, host: string): string =>
  // A colon parts the issuer from the name.
  generateURI({ issuer: `Signalbox ${host}`.replaceAll(':', ' '), label: username.replaceAll(':', ' '), secret });

/** A code as it was typed, without what people put between its letters. */
export const bareCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toLowerCase();

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
