const KEY = 'page_fragment';

/** The page of an address without what is behind its #. */
export const withoutFragment = (page: string): string => page.split('#')[0] ?? '';

/**
 * Keeps what is behind the # of a page in this tab over a sign-in: it may be a token, which must be in no address that a
 * server or proxy logs.
 * @param page from its first slash below where the product is served
 * @returns the page without its fragment
 */
export const keepFragment = (page: string): string => {
  const bare = withoutFragment(page);
  try {
    if (bare !== page) sessionStorage.setItem(KEY, page);
  } catch {
    // A browser that refuses storage forgets: the user opens the link again.
  }
  return bare;
};

/** Takes the fragment that was kept for a page, without its #; it is forgotten. */
export const takeFragment = (page: string): string | undefined => {
  try {
    const kept = sessionStorage.getItem(KEY);
    if (kept === null || withoutFragment(kept) !== page) return undefined;
    sessionStorage.removeItem(KEY);
    return kept.slice(page.length + 1);
  } catch {
    return undefined;
  }
};
