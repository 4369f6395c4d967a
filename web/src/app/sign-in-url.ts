import { keepFragment } from '../ui/browser/kept-fragment.ts';
import { readNext } from './search.ts';

const LOGIN = 'auth/login';

/** Pages that need no session, relative to the base URL. */
const OPEN = ['api/docs'];

/** The requested path relative to the base URL: with a leading slash, without a trailing one. */
const pathBelow = (base: URL, url: URL): string => url.pathname.slice(base.pathname.length).replace(/\/+$/, '');

export const isOpenPage = (base: URL, url: URL): boolean => OPEN.includes(pathBelow(base, url));

/**
 * The URL of the sign-in page with the requested page as a parameter. The fragment of the requested page is stored
 * in this tab.
 */
export const signInUrl = (base: URL, url: URL): URL => {
  const path = pathBelow(base, url);
  if (path === LOGIN) return url;
  const next = keepFragment(`/${path}${url.search}${url.hash}`);
  return new URL(next === '/' ? LOGIN : `${LOGIN}?${new URLSearchParams({ next })}`, base);
};

/** The requested page as a path from the base URL, with a leading slash. */
export const requestedPage = (url: URL): string => readNext(url.searchParams.get('next')) ?? '/';

/** The URL to open after signing in: the requested page, or the base URL. */
export const urlAfterSignIn = (base: URL, url: URL): URL => {
  const page = requestedPage(url);
  // Concatenated as text: parsed as a URL of its own, the path could name another scheme.
  return page === '/' ? base : new URL(`${base.href}${page.slice(1)}`);
};
