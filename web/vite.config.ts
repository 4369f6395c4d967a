import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressPlugin } from './build/compress-plugin.ts';
import { contractPlugin } from './build/contract-plugin.ts';
import { headPlugin } from './build/head-plugin.ts';
import { textsPlugin } from './build/texts-plugin.ts';

const START = ['src/main.tsx', 'src/app/sign-in-app.tsx'].map((file) => join(import.meta.dirname, file));

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Mantine's index imports all of it, so this list names what most screens use. The sign-in page uses none of it. */
const MANTINE = /@mantine[\\/]/;
const MANTINE_FOR_SCREENS =
  /@mantine[\\/](?:core[\\/]esm[\\/](?:core|components[\\/](?:Input|InputBase|TextInput|UnstyledButton|CloseButton|Loader))|hooks[\\/]esm[\\/](?:use-id|use-uncontrolled|use-disclosure|use-isomorphic-effect|use-media-query|utils))[\\/]/;

let signInModules: Set<string> | undefined;

/** The modules that the sign-in page is made of: what is imported at once from where the page starts. */
const isForSignIn = (id: string, graph: Graph): boolean => {
  if (MANTINE.test(id)) return false;
  if (!signInModules) {
    signInModules = new Set();
    const next = [...START];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      if (signInModules.has(at) || MANTINE.test(at)) continue;
      signInModules.add(at);
      next.push(...(graph.getModuleInfo(at)?.importedIds ?? []));
    }
  }
  // The module that index.html names stays by itself: the page would ask for a file that is not there.
  return id !== START[0] && signInModules.has(id);
};

/** What every screen needs comes in few files; the rest stays with the screen that asks for it. */
const GROUPS = [
  {
    name: (id: string, graph: Graph) => (isForSignIn(id, graph) ? 'start' : null),
    test: /\.(?:[cm]?[jt]sx?|json)$/,
    priority: 2,
  },
  { name: 'libraries', test: /node_modules[\\/]@tanstack[\\/]/, priority: 1 },
  { name: 'components', test: MANTINE_FOR_SCREENS, priority: 1 },
  // Without parts that include more of the library: menus and dialogs come when they are opened.
  {
    name: 'console',
    test: /web[\\/]src[\\/](?:ui|api|live|lang)[\\/](?!.*(?:menu|dialog|focus-return|pick|suggest|select|tags-input|password-input|environment)).*\.tsx?$/,
    minShareCount: 4,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  // Relative, because the server may serve the page below any path; index.html gets a <base> from it.
  base: './',
  plugins: [react(), contractPlugin(), textsPlugin(), headPlugin(), compressPlugin()],
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
