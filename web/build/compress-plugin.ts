import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(?:js|css|svg|html)$/;
/** Files below this size, in bytes, are not compressed: compression would not save a network packet. */
const SMALLEST = 1024;

const compress = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    // The server fills in index.html for each request and compresses it there.
    if (!entry.isFile() || !TEXT.test(entry.name) || entry.name === 'index.html') continue;
    const content = readFileSync(path);
    if (content.length < SMALLEST) continue;
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  }
};

/** Writes compressed copies next to the page's files, so that the server does not have to compress them. */
export const compressPlugin = (): Plugin => {
  let folder = 'dist';
  return {
    name: 'signalbox:compress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
    },
    closeBundle: () => compress(folder),
  };
};
