import { Email } from '@signalbox/contract';
import type { OidcProvider } from '../../settings/sign-in-settings.ts';

/** A person as a provider or directory describes them. */
export interface Profile {
  /** Permanent identifier of the person at the source. */
  readonly subject: string;
  readonly username: string;
  readonly name: string;
  /** Empty when the address is unknown, or explicitly not verified. */
  readonly email: string;
  /** Whether the source has verified the address. */
  readonly emailVerified: boolean;
  readonly groups: readonly string[];
}

/** OpenID Connect allows subjects of at most 255 characters. */
const MAX_SUBJECT = 255;

/** Whether a text is a valid subject: not blank, at most 255 characters, without control characters. */
export const isSubject = (subject: string): boolean =>
  subject.trim() !== '' && subject.length <= MAX_SUBJECT && !/\p{Cc}/u.test(subject) && subject.isWellFormed();

export type Claims = Readonly<Record<string, unknown>>;

/** Returns a claim by name. Dots lead into nested objects, as in `realm_access.roles`. */
export const readClaim = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
};

/** Maximum number of characters of a claim that are processed. */
const MAX_COMPOSED_LENGTH = 1_000;

/** Normalizes a name to one line of visible text of at most 255 characters; empty when there is none. */
export const nameFrom = (value: unknown): string => {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const line = String(value)
    // Unicode composition takes quadratic time.
    .slice(0, MAX_COMPOSED_LENGTH)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]+/gu, ' ');
  return line.slice(0, 255).toWellFormed().trim();
};

export const emailFrom = (value: unknown): string => {
  const email = nameFrom(value);
  // Composition turns some look-alikes into plain letters, so the address is checked as the provider sent it.
  return typeof value === 'string' && Email.safeParse(value).success ? email : '';
};

const listFrom = (value: unknown): string[] => {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
};

/** Reads the profile of a person from the claims of a provider. */
export const profileOf = (provider: OidcProvider, subject: string, claims: Claims): Profile => {
  const { claims: names } = provider;
  const email = emailFrom(readClaim(claims, names.email));
  const verified = claims.email_verified;
  const username = nameFrom(readClaim(claims, names.username)) || email || nameFrom(`${provider.id}-${subject}`);
  return {
    subject,
    username,
    name: nameFrom(readClaim(claims, names.name)) || username,
    email: verified === false || verified === 'false' ? '' : email,
    emailVerified: verified === true || verified === 'true',
    groups: listFrom(readClaim(claims, names.groups)),
  };
};
