import { keepFragment } from '../ui/browser/kept-fragment.ts';
import { readNext } from './search.ts';

const LOGIN = 'auth/login';

/** Pages that are open to everybody, below where the product is served. */
const OPEN = ['api/docs'];

/** What is asked for, below where the product is served: with a slash before it, and without one behind its path. */
const pathBelow = (base: URL, address: URL): string => address.pathname.slice(base.pathname.length).replace(/\/+$/, '');

export const isOpenPage = (base: URL, address: URL): boolean => OPEN.includes(pathBelow(base, address));

/** Where who is not signed in signs in: the address of that page, with the one that was asked for. What is behind the # of that one is kept in this tab. */
export const signInAddress = (base: URL, address: URL): URL => {
  const path = pathBelow(base, address);
  if (path === LOGIN) return address;
  const next = keepFragment(`/${path}${address.search}${address.hash}`);
  return new URL(next === '/' ? LOGIN : `${LOGIN}?${new URLSearchParams({ next })}`, base);
};

/** The page that was asked for, from its first slash below where the product is served. */
export const pageBehind = (address: URL): string => readNext(address.searchParams.get('next')) ?? '/';

/** Where that page leads once a session stands: to what was asked for, or to the first page. */
export const addressBehind = (base: URL, address: URL): URL => {
  const page = pageBehind(address);
  // Joined as text: read as an address of its own, it could name another scheme.
  return page === '/' ? base : new URL(`${base.href}${page.slice(1)}`);
};
