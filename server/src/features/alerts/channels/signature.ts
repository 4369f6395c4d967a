import { createHmac } from 'node:crypto';

/**
 * Returns the signature of a post: `v1=` and the HMAC-SHA256, in hexadecimal, of the timestamp, a dot and the body.
 * The timestamp lets receivers refuse a recorded post that is sent again later.
 * @param timestamp seconds since 1970
 */
export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
