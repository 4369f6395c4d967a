#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { runInForeground } from '../tooling/child.mjs';
import { findNode, PRODUCT_FLAGS, runsProduct } from '../tooling/node24.mjs';

if (runsProduct()) {
  // What was stripped of its types and compiled once is kept: the next start is faster and loads no compiler at all.
  // Worker threads read the variable, this thread is past reading it.
  const compiled = fileURLToPath(new URL('../node_modules/.cache/signalbox-compiled', import.meta.url));
  process.env.NODE_COMPILE_CACHE ??= compiled;
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await (process.argv[2] === 'runner' ? import('../runner/src/main.ts') : import('../server/src/main.ts'));
} else {
  const node = findNode();
  if (node) {
    process.exitCode = await runInForeground(node, [...PRODUCT_FLAGS, fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
  } else {
    console.error('Signalbox needs Node 24, which its lock file brings: run `npm ci` in its folder first.');
    process.exitCode = 1;
  }
}
