/** The nonce for styles that scripts insert, which the server puts into the page; empty in development. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** Publishes the nonce under the name that libraries expect from bundlers, such as the scroll lock of dialogs. */
export const publishNonce = (): void => {
  const nonce = styleNonce();
  if (nonce !== '') Object.assign(globalThis, { __webpack_nonce__: nonce });
};
