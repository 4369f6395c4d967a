import { describe, expect, it } from 'vitest';
import { decryptRequest, encryptRequest, safePage } from './authorization-request.ts';

describe('[S9] the page to return to', () => {
  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '/..//evil.example',
    '/./\\evil.example',
    '/a/..//evil.example',
    'javascript:alert(1)',
    'users',
    '',
    `/${'x'.repeat(3000)}`,
    null,
  ])('is the first page for %j', (page) => {
    expect(safePage(page)).toBe('/');
  });

  it.each(['/', '/users?sort=name', '/project/1/history?t=7&tab=log#l3', '/%2F%2Fevil.example'])(
    'may be %j',
    (page) => {
      expect(safePage(page)).toBe(page);
      const there = new URL(safePage(page), 'https://signalbox.test');
      expect(there.origin).toBe('https://signalbox.test');
    },
  );
});

describe('[S4] an authorization request in a cookie', () => {
  const master = { id: 'test', bytes: Buffer.alloc(32, 7), others: [] };
  const request = { providerId: 'corp', state: 'st4te', nonce: 'n0nce', verifier: 'v3rifier', page: '/', expires: 1 };

  it('can be read by the server that encrypted it only', () => {
    const encrypted = encryptRequest(master, request);
    expect(decryptRequest(master, encrypted)).toEqual(request);
    for (const text of ['st4te', 'n0nce', 'v3rifier']) {
      expect(Buffer.from(encrypted.split(':')[2] ?? '', 'base64').toString('latin1')).not.toContain(text);
    }
    expect(decryptRequest({ ...master, bytes: Buffer.alloc(32, 8) }, encrypted)).toBeUndefined();
    for (const other of [undefined, '', 'v1:test:', encrypted.slice(0, -8)])
      expect(decryptRequest(master, other)).toBeUndefined();
  });

  it('fits into a cookie with the longest allowed page', () => {
    const longest = safePage(`/${'x'.repeat(1199)}`);
    expect(longest).toHaveLength(1200);
    const secrets = { state: 'x'.repeat(43), nonce: 'x'.repeat(43), verifier: 'x'.repeat(43), expires: Date.now() };
    expect(encryptRequest(master, { ...secrets, providerId: 'x'.repeat(64), page: longest }).length).toBeLessThan(3000);
  });
});
