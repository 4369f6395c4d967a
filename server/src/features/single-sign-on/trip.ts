import { z } from 'zod';
import { decrypt, encrypt } from '../../secrets/cipher.ts';
import type { MasterKey } from '../../secrets/master-key.ts';

/** Whoever is not back after so long starts again, in seconds. */
export const TRIP_SECONDS = 10 * 60;
/** A browser keeps it for longer, in seconds: whoever is back too late is told so, and finds the page they asked for. */
export const TRIP_KEPT_SECONDS = 12 * 3600;
/** The cookie that holds it must fit a browser; a page of a longer address is found again from the first one. */
const MAX_PAGE = 1200;

const Trip = z.object({
  providerId: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The page that was asked for, below where the product is served. */
  page: z.string(),
  /** In milliseconds since 1970. */
  expires: z.number(),
});
/** What has to be known of somebody who was sent to a provider when they come back. */
export type Trip = z.infer<typeof Trip>;

const PLACE = 'sign_in_trip:0';

/** A trip as the browser keeps it: it can neither read nor change it. */
export const sealTrip = (master: MasterKey, trip: Trip): string => encrypt(master, PLACE, JSON.stringify(trip));

/** The trip that the browser kept; undefined where there is none that was sealed here. */
export const openTrip = (master: MasterKey, sealed: string | undefined): Trip | undefined => {
  if (sealed === undefined) return undefined;
  try {
    return Trip.parse(JSON.parse(decrypt(master, PLACE, sealed)));
  } catch {
    return undefined;
  }
};

const ANYWHERE = 'http://signalbox.invalid';

/** The page to return to: a path of this site that begins with one slash, else the first page. */
export const safePage = (asked: string | null): string => {
  if (asked === null || asked.length > MAX_PAGE || !/^\/(?![/\\])/.test(asked)) return '/';
  const url = URL.parse(asked, ANYWHERE);
  // Read as browsers read it: what they leave out, and steps upwards, must not make an address of another site.
  if (url?.origin !== ANYWHERE || /^\/[/\\]/.test(url.pathname)) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
};
