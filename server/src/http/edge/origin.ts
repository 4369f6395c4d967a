import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a write or a socket may come from the origin that it names. Browsers always name the origin of a foreign
 * page; other programs name none. The public address decides if it is set, else the Host header.
 */
export const isOwnOrigin = (headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean => {
  const { origin, host } = headers;
  if (origin === undefined)
    return headers['sec-fetch-site'] === undefined || headers['sec-fetch-site'] !== 'cross-site';
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  if (publicUrl !== undefined) return false;
  try {
    const { protocol, host: from } = new URL(origin);
    // A proxy may add the default port: `example.org:443` is the same origin as `https://example.org`.
    return host !== undefined && new URL(`${protocol}//${host}`).host === from;
  } catch {
    return false;
  }
};
