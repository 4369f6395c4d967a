const KEY = 'page_fragment';

/** The path of a page without its fragment. */
export const withoutFragment = (page: string): string => page.split('#')[0] ?? '';

/**
 * Stores the fragment of a page in this tab during a sign-in. It may be a token, which must not be part of a URL
 * that a server or proxy logs.
 * @param page path from the base URL, with a leading slash
 * @returns the page without its fragment
 */
export const keepFragment = (page: string): string => {
  const bare = withoutFragment(page);
  try {
    if (bare !== page) sessionStorage.setItem(KEY, page);
  } catch {
    // Without browser storage the fragment is lost: the user opens the link again.
  }
  return bare;
};

/** Returns and deletes the stored fragment of a page, without its #. */
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
