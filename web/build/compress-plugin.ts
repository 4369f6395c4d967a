import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(?:js|css|svg|html)$/;
/** Below this many bytes a compressed file saves no packet. */
const SMALLEST = 1024;

const compress = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    // The page itself is filled in at each request and compressed there.
    if (!entry.isFile() || !TEXT.test(entry.name) || entry.name === 'index.html') continue;
    const content = readFileSync(path);
    if (content.length < SMALLEST) continue;
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  }
};

/** Writes the compressed forms of the page's files beside them, so that the server compresses nothing it need not. */
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
