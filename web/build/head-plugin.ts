import type { Plugin } from 'vite';

/** What the server replaces when it serves the page: the base address and the nonce of the response. */
const HEAD_PLACEHOLDER = '<!--signalbox:head-->';

/** The development server stands in for the product's server here: deep addresses need a base. */
export const headPlugin = (): Plugin => ({
  name: 'signalbox:head',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(HEAD_PLACEHOLDER, '<base href="/">'),
});
