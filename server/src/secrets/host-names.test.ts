import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HostNames, isEncryptedHost } from './host-names.ts';

describe('[S6] a host name with a secret', () => {
  const secret = randomBytes(32);
  const names = new HostNames(secret);

  it('is stored as the same text for each task of a project, on every server', () => {
    const [stored] = names.stored(1, ['db-hunter2'], ['db-hunter2']);
    expect(new HostNames(secret).stored(1, ['db-hunter2'], ['db-hunter2'])).toEqual([stored]);
    expect(names.stored(2, ['db-hunter2'], ['db-hunter2'])).not.toEqual([stored]);
    expect(stored).not.toContain('hunter2');
    expect(isEncryptedHost(stored ?? '')).toBe(true);
    expect(names.decrypt(1, stored ?? '')).toBe('db-hunter2');
  });

  it('cannot be read with another key, for another project, or after a change', () => {
    const stored = names.encrypt(1, 'db-hunter2');
    expect(() => new HostNames(randomBytes(32)).decrypt(1, stored)).toThrow();
    expect(() => names.decrypt(2, stored)).toThrow();
    expect(() => names.decrypt(1, stored.replace(/.{4}$/, 'AAA='))).toThrow();
  });

  it('leaves the names of other hosts readable, except those that seem to be encrypted', () => {
    const forged = names.encrypt(1, 'web2');
    const [first = '', second = ''] = names.stored(1, ['web1', forged], []);
    expect([first, second].map((name) => names.decrypt(1, name))).toEqual([forged, 'web1']);
    expect(second).toBe('web1');
    expect(isEncryptedHost(second)).toBe(false);
  });
});
