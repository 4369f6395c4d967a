import { describe, expect, it } from 'vitest';
import { bareCode, otpauthUri } from './one-time-code.ts';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** Reads an address like an app: issuer and name before `?`, and the parameters. */
const read = (uri: string) => {
  const [, label = '', query = ''] = /^otpauth:\/\/totp\/([^?]*)\?(.*)$/.exec(uri) ?? [];
  const parts = label.split(':').map(decodeURIComponent);
  return { parts, query: Object.fromEntries(new URLSearchParams(query)) };
};

describe('the address for authenticator apps', () => {
  it.each([
    ['jane', 'jane'],
    ['a:b%c/?&=#', 'a b%c/?&=#'],
    ['x&issuer=evil&secret=AAAA', 'x&issuer=evil&secret=AAAA'],
    ['Jürgen Müller', 'Jürgen Müller'],
    ['Александра Константинопольская', 'Александра Константинопольская'],
    ['💥'.repeat(127), `${'💥'.repeat(14)}…`],
    ['漢'.repeat(255), `${'漢'.repeat(19)}…`],
    ['👩‍👩‍👧‍👦'.repeat(20), `${'👩‍👩‍👧‍👦'.repeat(2)}…`],
  ])('contains %s in a form that a QR code can hold', (username, expected) => {
    const uri = otpauthUri(SECRET, username, `${'box.'.repeat(60)}example:8443`);
    const issuer = `Signalbox ${'box.'.repeat(20)}b…`;
    expect(read(uri)).toEqual({ parts: [issuer, expected], query: { secret: SECRET, issuer } });
    // A QR code of 450 bytes has 81 modules per side, about the maximum for a camera and a screen.
    expect(uri.length).toBeLessThanOrEqual(450);
  });
});

describe('a code as it was typed', () => {
  it.each([
    [' 123 456\n', '123456'],
    ['123-456', '123456'],
    ['１２３４５６', '123456'],
    ['٠١٢٣٤٥', '012345'],
    ['۶۷۸۹۰۱', '678901'],
    ['\u200b12\u00a034\u202f56\ufeff', '123456'],
    ['ABCD-EFGH-JKMN-2345', 'abcdefghjkmn2345'],
    ['abcd–efgh‑jkmn−2345,', 'abcdefghjkmn2345'],
    ['ａｂｃｄ－ｅｆｇｈ－ｊｋｍｎ－２３４５', 'abcdefghjkmn2345'],
  ])('%j is %s', (typed, bare) => expect(bareCode(typed)).toBe(bare));
});
