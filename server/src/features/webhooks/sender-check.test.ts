import type { SenderCheck } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { deliveryKeys, isVerified } from './sender-check.ts';

const EVERYBODY = "It's a Secret to Everybody";
const OF_GITHUB = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
const OF_BITBUCKET = 'a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9';
const OF_RFC_4231 = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
const PHRASE = 'what do ya want for nothing?';

const webhook = (sender_check: SenderCheck, signature_header = '', delivery_header = '') => ({
  sender_check,
  signature_header,
  delivery_header,
});
const call = (headers: Record<string, string>, body: string) => ({ headers, body: Buffer.from(body) });

describe('the check of the sender', () => {
  it.each([
    ['github', 'x-hub-signature-256', `sha256=${OF_GITHUB}`, EVERYBODY, 'Hello, World!'],
    ['bitbucket', 'x-hub-signature', `sha256=${OF_BITBUCKET}`, EVERYBODY, 'Hello World!'],
    ['gitea', 'x-gitea-signature', OF_RFC_4231, 'Jefe', PHRASE],
    ['gitea', 'x-forgejo-signature', OF_RFC_4231, 'Jefe', PHRASE],
    ['hmac', 'x-my-signature', OF_RFC_4231, 'Jefe', PHRASE],
    ['hmac', 'x-my-signature', `sha256=${OF_RFC_4231.toUpperCase()}`, 'Jefe', PHRASE],
    ['gitlab', 'x-gitlab-token', 'Jefe', 'Jefe', PHRASE],
    ['bearer', 'authorization', 'Bearer Jefe', 'Jefe', PHRASE],
  ] as const)(
    '%s accepts what the provider documents in %s, and nothing else',
    (check, header, value, secret, body) => {
      const of = webhook(check, check === 'hmac' ? 'X-My-Signature' : '');
      expect(isVerified(of, secret, call({ [header]: value }, body))).toBe(true);
      const forged = value.slice(0, -1) + (value.endsWith('0') ? '1' : '0');
      for (const other of ['', 'sha256=', forged, `${value}0`, `x${value}`])
        expect(isVerified(of, secret, call({ [header]: other }, body)), other).toBe(false);
      expect(isVerified(of, secret, call({}, body))).toBe(false);
      expect(isVerified(of, `${secret}x`, call({ [header]: value }, body))).toBe(false);
      expect(isVerified(of, '', call({ [header]: '' }, body))).toBe(false);
      const signsBody = check !== 'gitlab' && check !== 'bearer';
      expect(isVerified(of, secret, call({ [header]: value }, `${body} `))).toBe(!signsBody);
    },
  );

  it('of GitHub and Bitbucket needs the name of the hash, and ignores SHA-1', () => {
    for (const [check, header, body, hex] of [
      ['github', 'x-hub-signature-256', 'Hello, World!', OF_GITHUB],
      ['bitbucket', 'x-hub-signature', 'Hello World!', OF_BITBUCKET],
    ] as const)
      for (const value of [hex, `sha1=${hex}`])
        expect(isVerified(webhook(check), EVERYBODY, call({ [header]: value }, body))).toBe(false);
  });
});

describe('the keys of a delivery', () => {
  it('are its id, and its body if a signature covers it', () => {
    const keys = (check: SenderCheck, headers: Record<string, string>, body = '{}', header = '') =>
      deliveryKeys(webhook(check, '', header), call(headers, body));
    const [id, body] = keys('github', { 'x-github-delivery': 'a' });
    expect(keys('github', { 'x-github-delivery': 'b' })).toEqual([expect.not.stringMatching(`^${id}$`), body]);
    expect(keys('github', {})).toEqual([body]);
    expect(keys('gitlab', { 'x-gitlab-event-uuid': 'a' })).toEqual([id]);
    expect(keys('gitea', { 'x-gitea-delivery': 'a' })).toEqual([id, body]);
    expect(keys('bitbucket', { 'x-request-uuid': 'a' })).toEqual([id, body]);
    expect(keys('bearer', { 'x-my-id': 'a' }, '{}', 'X-My-Id')).toEqual([id]);
    expect(keys('bearer', { 'x-github-delivery': 'a' })).toEqual([]);
    expect(keys('hmac', {}, '{ }')).not.toEqual([body]);
  });
});
