import { describe, expect, it } from 'vitest';
import { nextVersion } from './next-version.ts';

describe('the version of the next build', () => {
  it.each([
    ['1.0.0', null, '1.0.0'],
    ['1.0.0', '1.0.9', '1.0.10'],
    ['1.0.0', '1.0.0', '1.0.1'],
    ['v3-rc', 'v3-rc', 'v4-rc'],
    ['v1-rc', 'v3-rc', 'v4-rc'],
    ['1.1.0', '1.0.9', '1.1.0'],
    ['1.0.20', '1.0.9', '1.0.20'],
    ['2024-007', '2024-009', '2024-010'],
    ['build-099', 'build-099', 'build-100'],
    ['1.0.0-beta', '1.0.4', '1.0.0-beta'],
    ['1.0.99999999999999999999', '1.0.99999999999999999999', '1.0.100000000000000000000'],
  ])('with the start version %s, after %s, is %s', (start, latest, next) => {
    expect(nextVersion(start, latest)).toBe(next);
  });
});
