import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { SenderCheck } from '@signalbox/contract';
import type { CallHeaders, ReceivedCall } from './received-call.ts';

export interface CheckedWebhook {
  readonly sender_check: SenderCheck;
  readonly signature_header: string;
  readonly delivery_header: string;
}

const hash = (...parts: readonly (string | Buffer)[]): Buffer => {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(part);
  return sha.digest();
};

/** Compares texts in a time that does not depend on where they differ. */
const isSameText = (a: string, b: string): boolean => timingSafeEqual(hash(a), hash(b));

const PREFIX = 'sha256=';

/** The headers with a signature of the body, by the check. The first that is present counts. */
const SIGNATURES: Readonly<Partial<Record<SenderCheck, readonly string[]>>> = {
  github: ['x-hub-signature-256'],
  gitea: ['x-forgejo-signature', 'x-gitea-signature'],
  bitbucket: ['x-hub-signature'],
};

const firstOf = (headers: CallHeaders, names: readonly string[]): string | undefined =>
  names.map((name) => headers[name]).find((value) => value !== undefined);

/** The signature of a call as lower-case hexadecimal digits; undefined if the call has none or the check needs none. */
const signatureOf = ({ sender_check, signature_header }: CheckedWebhook, headers: CallHeaders): string | undefined => {
  const names = sender_check === 'hmac' ? [signature_header.toLowerCase()] : (SIGNATURES[sender_check] ?? []);
  const given = firstOf(headers, names)?.trim().toLowerCase();
  if (given === undefined || !given.startsWith(PREFIX)) {
    // GitHub and Bitbucket always send the name of the hash.
    return sender_check === 'github' || sender_check === 'bitbucket' ? undefined : given;
  }
  return given.slice(PREFIX.length);
};

const isSigned = (check: SenderCheck): boolean => check === 'hmac' || check in SIGNATURES;

/** Whether a call comes from a sender that knows the secret. */
export const isVerified = (webhook: CheckedWebhook, secret: string, { headers, body }: ReceivedCall): boolean => {
  const { sender_check: check } = webhook;
  if (check === 'none') return true;
  if (secret === '') return false;
  if (isSigned(check)) {
    const expected = createHmac('sha256', secret).update(body).digest('hex');
    return isSameText(signatureOf(webhook, headers) ?? '', expected);
  }
  const given =
    check === 'gitlab' ? headers['x-gitlab-token'] : /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
  return isSameText(given ?? '', secret);
};

const DELIVERIES: Readonly<Partial<Record<SenderCheck, readonly string[]>>> = {
  github: ['x-github-delivery'],
  gitlab: ['x-gitlab-event-uuid'],
  gitea: ['x-forgejo-delivery', 'x-gitea-delivery'],
  bitbucket: ['x-request-uuid'],
};

/**
 * What identifies a delivery: its id, and its body if that is signed. The signature does not cover the id, so a captured
 * call with another id must not start a second task.
 */
export const deliveryKeys = (webhook: CheckedWebhook, { headers, body }: ReceivedCall): string[] => {
  const { sender_check: check, delivery_header: header } = webhook;
  const id = firstOf(headers, header === '' ? (DELIVERIES[check] ?? []) : [header.toLowerCase()]);
  return [
    ...(id === undefined || id === '' ? [] : [hash('id\0', id).toString('hex')]),
    ...(isSigned(check) ? [hash('body\0', body).toString('hex')] : []),
  ];
};
