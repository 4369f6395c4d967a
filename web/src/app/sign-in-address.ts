import { keepFragment } from '../ui/browser/kept-fragment.ts';
import { readNext } from './search.ts';

const LOGIN = 'auth/login';

/** Pages that need no session, relative to the base address. */
const OPEN = ['api/docs'];

/** The requested path relative to the base address: with a leading slash, without a trailing one. */
const pathBelow = (base: URL, address: URL): string => address.pathname.slice(base.pathname.length).replace(/\/+$/, '');

export const isOpenPage = (base: URL, address: URL): boolean => OPEN.includes(pathBelow(base, address));

/**
 * The address of the sign-in page with the requested page as a parameter. The fragment of the requested page is stored
 * in this tab.
 */
export const signInAddress = (base: URL, address: URL): URL => {
  const path = pathBelow(base, address);
  if (path === LOGIN) return address;
  const next = keepFragment(`/${path}${address.search}${address.hash}`);
  return new URL(next === '/' ? LOGIN : `${LOGIN}?${new URLSearchParams({ next })}`, base);
};

/** The requested page as a path from the base address, with a leading slash. */
export const requestedPage = (address: URL): string => readNext(address.searchParams.get('next')) ?? '/';

/** The address to open after signing in: the requested page, or the base address. */
export const addressAfterSignIn = (base: URL, address: URL): URL => {
  const page = requestedPage(address);
  // Concatenated as text: parsed as a URL of its own, the path could name another scheme.
  return page === '/' ? base : new URL(`${base.href}${page.slice(1)}`);
};
