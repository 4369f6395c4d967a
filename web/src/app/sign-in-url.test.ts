import { describe, expect, it } from 'vitest';
import { isOpenPage, signInUrl, urlAfterSignIn } from './sign-in-url.ts';

const BASE = new URL('https://tools.example/ops/');
const at = (path: string) => new URL(path, BASE);

describe('a user without a session', () => {
  it.each([
    ['', 'auth/login'],
    ['auth/login', 'auth/login'],
    ['auth/login/', 'auth/login/'],
    ['auth/login?next=%2Fusers', 'auth/login?next=%2Fusers'],
    ['project/1/history?t=7', 'auth/login?next=%2Fproject%2F1%2Fhistory%3Ft%3D7'],
    ['project/1/', 'auth/login?next=%2Fproject%2F1'],
    ['confirm-email#token', 'auth/login?next=%2Fconfirm-email'],
  ])('is sent from %j to %j', (asked, login) => {
    expect(signInUrl(BASE, at(asked)).href).toBe(at(login).href);
  });

  it.each([
    ['auth/login', ''],
    ['auth/login?next=%2Fproject%2F1%2Fhistory%3Ft%3D7', 'project/1/history?t=7'],
    ['auth/login?next=https%3A%2F%2Fevil.example', ''],
    ['auth/login?next=%2F%2Fevil.example', ''],
    ['auth/login?next=%2F%5Cevil.example', ''],
  ])('returns from %j to %j after the sign-in', (login, page) => {
    expect(urlAfterSignIn(BASE, at(login)).href).toBe(at(page).href);
  });

  it('stays on this site whatever URL was requested', () => {
    expect(urlAfterSignIn(BASE, at('auth/login?next=%2Fjavascript%3Aalert(1)')).href).toBe(
      `${BASE}javascript:alert(1)`,
    );
    expect(urlAfterSignIn(BASE, at('auth/login?next=%2F..%2F..%2F%2Fevil.example')).origin).toBe(BASE.origin);
  });

  it.each([
    ['api/docs', true],
    ['api/docs/', true],
    ['project/1/history', false],
  ])('may open %j without a session: %j', (page, isOpen) => {
    expect(isOpenPage(BASE, at(page))).toBe(isOpen);
  });
});
