import { describe, expect, it } from 'vitest';
import { isOwnOrigin } from './origin.ts';

describe('the origin of a write', () => {
  it.each([
    ['https://example.org', 'example.org', true],
    ['https://example.org', 'example.org:443', true],
    ['http://example.org', 'example.org:80', true],
    ['http://example.org', 'EXAMPLE.org', true],
    ['http://[::1]:3000', '[::1]:3000', true],
    ['https://example.org', 'example.org:80', false],
    ['https://example.org', 'example.org:8443', false],
    ['https://example.org.evil.test', 'example.org', false],
    ['https://evil.test', 'example.org', false],
    ['https://example.org', 'evil.test@example.org.test', false],
    ['null', 'example.org', false],
    ['https://undefined', undefined, false],
  ])('%s at the host %s: %s', (origin, host, own) => {
    expect(isOwnOrigin({ origin, ...(host === undefined ? {} : { host }) }, undefined)).toBe(own);
  });

  it('is compared with the public address if there is one, whatever the host is', () => {
    expect(isOwnOrigin({ origin: 'https://box.test', host: '10.0.0.1' }, 'https://box.test/sb')).toBe(true);
    expect(isOwnOrigin({ origin: 'http://10.0.0.1', host: '10.0.0.1' }, 'https://box.test/sb')).toBe(false);
  });
});
