import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a write or a socket may come from where it says it comes from. A browser always names the origin of a page
 * that is not our own; programs name none. The public address decides where it is set, else the Host that was asked.
 */
export const isOwnOrigin = (headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean => {
  const { origin, host } = headers;
  if (origin === undefined)
    return headers['sec-fetch-site'] === undefined || headers['sec-fetch-site'] !== 'cross-site';
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  if (publicUrl !== undefined) return false;
  try {
    const { protocol, host: from } = new URL(origin);
    // A proxy may write the port that goes without saying: `example.org:443` is where `https://example.org` is.
    return host !== undefined && new URL(`${protocol}//${host}`).host === from;
  } catch {
    return false;
  }
};
