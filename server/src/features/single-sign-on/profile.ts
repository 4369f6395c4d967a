import { Email } from '@signalbox/contract';
import type { OidcProvider } from '../../sign-in-settings.ts';

/** Who somebody is outside. */
export interface Profile {
  /** What never changes of them there. */
  readonly subject: string;
  readonly username: string;
  readonly name: string;
  /** Empty where it is not told, or where the other side says that it is not theirs for sure. */
  readonly email: string;
  /** Whether the other side says that the address is theirs. */
  readonly emailVerified: boolean;
  readonly groups: readonly string[];
}

/** OpenID Connect allows subjects of at most 255 characters. */
const MAX_SUBJECT = 255;

/** Whether a text is a valid subject: not blank, at most 255 characters, without control characters. */
export const isSubject = (subject: string): boolean =>
  subject.trim() !== '' && subject.length <= MAX_SUBJECT && !/\p{Cc}/u.test(subject) && subject.isWellFormed();

export type Claims = Readonly<Record<string, unknown>>;

/** A claim by its name, or by the names of the objects around it with dots between, such as `realm_access.roles`. */
export const readClaim = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
};

/** Characters of a claim that are looked at. */
const MOST_COMPOSED = 1_000;

/** One line of text as names here are, without what cannot be seen; at most 255 characters, empty where there is none. */
export const nameFrom = (value: unknown): string => {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const line = String(value)
    // Composing letters takes time that grows with the square of a text.
    .slice(0, MOST_COMPOSED)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]+/gu, ' ');
  return line.slice(0, 255).toWellFormed().trim();
};

export const emailFrom = (value: unknown): string => {
  const email = nameFrom(value);
  // Composing already makes plain letters of some look-alikes: the address is checked as the provider sent it.
  return typeof value === 'string' && Email.safeParse(value).success ? email : '';
};

const listFrom = (value: unknown): string[] => {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
};

/** Reads a person out of what a provider tells of them. */
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
