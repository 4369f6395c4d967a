import type { Plugin } from 'vite';

/** Placeholders that the server replaces when it serves the page: the base address and the nonce of the response. */
const HEAD_PLACEHOLDER = '<!--signalbox:head-->';

/** Replaces the placeholders in the development server, where nested addresses need a base too. */
export const headPlugin = (): Plugin => ({
  name: 'signalbox:head',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(HEAD_PLACEHOLDER, '<base href="/">'),
});
