import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressPlugin } from './build/compress-plugin.ts';
import { contractPlugin } from './build/contract-plugin.ts';
import { headPlugin } from './build/head-plugin.ts';

/** What every screen needs comes in few files; the rest stays with the screen that asks for it. */
const GROUPS = [
  { name: 'libraries', test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack|i18next|react-i18next)[\\/]/ },
  // Without the menu of languages, which brings menus with it: the form for signing in does not wait for them.
  {
    name: 'console',
    test: /web[\\/]src[\\/](?:ui|api|live|lang)[\\/](?!language-menu).*\.tsx?$/,
    minShareCount: 4,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  // Relative, because the server may serve the page below any path; index.html gets a <base> from it.
  base: './',
  plugins: [react(), contractPlugin(), headPlugin(), compressPlugin()],
  build: {
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': {
        target: 'http://127.0.0.1:3000',
        ws: true,
        // The one address below /api that the page itself answers.
        bypass: ({ url }) => (url?.split('?')[0] === '/api/docs' ? '/index.html' : undefined),
      },
    },
  },
});
