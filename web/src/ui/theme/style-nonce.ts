/** The nonce that the server put into the page for styles inserted by code; empty in development. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/**
 * Gives the nonce to libraries that look for it under the name that bundlers made common; the scroll lock of dialogs is
 * one of them.
 */
export const publishNonce = (): void => {
  const nonce = styleNonce();
  if (nonce !== '') Object.assign(globalThis, { __webpack_nonce__: nonce });
};
