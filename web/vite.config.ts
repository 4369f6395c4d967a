import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressPlugin } from './build/compress-plugin.ts';
import { contractPlugin } from './build/contract-plugin.ts';
import { headPlugin } from './build/head-plugin.ts';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, because the server may serve the page below any path; index.html gets a <base> from it.
  base: './',
  plugins: [react(), contractPlugin(), headPlugin(), compressPlugin()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:3000', ws: true } } },
});
