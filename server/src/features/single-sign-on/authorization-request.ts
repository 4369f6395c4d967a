import { z } from 'zod';
import { decrypt, encrypt } from '../../secrets/cipher.ts';
import type { MasterKey } from '../../secrets/master-key.ts';

/** Lifetime of an authorization request, in seconds. */
export const REQUEST_SECONDS = 10 * 60;
/** Lifetime of the cookie, in seconds. Longer, so that a late callback is explained and leads to the requested page. */
export const REQUEST_KEPT_SECONDS = 12 * 3600;
/** The cookie must fit into a browser. After a longer address, the user returns to the first page. */
const MAX_PAGE = 1200;

const AuthorizationRequest = z.object({
  providerId: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The requested page, relative to the base path. */
  page: z.string(),
  /** Milliseconds since 1970. */
  expires: z.number(),
});
/** State of an authorization request, kept by the browser until the callback. */
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>;

const CONTEXT = 'sign_in_trip:0';

/** Encrypts a request for the cookie. The browser can neither read nor change it. */
export const encryptRequest = (master: MasterKey, request: AuthorizationRequest): string =>
  encrypt(master, CONTEXT, JSON.stringify(request));

/** Decrypts the request in the cookie; undefined if there is none from this server. */
export const decryptRequest = (master: MasterKey, encrypted: string | undefined): AuthorizationRequest | undefined => {
  if (encrypted === undefined) return undefined;
  try {
    return AuthorizationRequest.parse(JSON.parse(decrypt(master, CONTEXT, encrypted)));
  } catch {
    return undefined;
  }
};

const ANYWHERE = 'http://signalbox.invalid';

/** The page to return to: a path of this site that begins with one slash, else the first page. */
export const safePage = (asked: string | null): string => {
  if (asked === null || asked.length > MAX_PAGE || !/^\/(?![/\\])/.test(asked)) return '/';
  const url = URL.parse(asked, ANYWHERE);
  // Parsed as browsers do: characters that they ignore, and `..`, must not lead to another site.
  if (url?.origin !== ANYWHERE || /^\/[/\\]/.test(url.pathname)) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
};
