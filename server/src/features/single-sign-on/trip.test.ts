import { describe, expect, it } from 'vitest';
import { openTrip, safePage, sealTrip } from './trip.ts';

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
  ])('is the first one where %j is asked for', (page) => {
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

describe('[S4] a trip', () => {
  const master = { id: 'test', bytes: Buffer.alloc(32, 7), others: [] };
  const trip = { providerId: 'corp', state: 'st4te', nonce: 'n0nce', verifier: 'v3rifier', page: '/', expires: 1 };

  it('is opened by who sealed it, and read by nobody else', () => {
    const sealed = sealTrip(master, trip);
    expect(openTrip(master, sealed)).toEqual(trip);
    for (const word of ['st4te', 'n0nce', 'v3rifier']) {
      expect(Buffer.from(sealed.split(':')[2] ?? '', 'base64').toString('latin1')).not.toContain(word);
    }
    expect(openTrip({ ...master, bytes: Buffer.alloc(32, 8) }, sealed)).toBeUndefined();
    for (const other of [undefined, '', 'v1:test:', sealed.slice(0, -8)])
      expect(openTrip(master, other)).toBeUndefined();
  });

  it('fits a cookie, with the longest page that it takes', () => {
    const longest = safePage(`/${'x'.repeat(1199)}`);
    expect(longest).toHaveLength(1200);
    const secrets = { state: 'x'.repeat(43), nonce: 'x'.repeat(43), verifier: 'x'.repeat(43), expires: Date.now() };
    expect(sealTrip(master, { ...secrets, providerId: 'x'.repeat(64), page: longest }).length).toBeLessThan(3000);
  });
});
