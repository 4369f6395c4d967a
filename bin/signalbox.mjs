#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInForeground } from '../tooling/child.mjs';
import { findNode, PRODUCT_FLAGS, ROOT, runsProduct } from '../tooling/node24.mjs';

if (runsProduct()) {
  // Node stores compiled code without types on the disk, so that the next start needs less time and memory. Worker threads
  // read the variable. This thread has already started, so it enables the cache with a call.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'signalbox');
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  const [command, subcommand] = process.argv.slice(2);
  if (command === 'runner' && subcommand === 'register') await import('../runner/src/register.ts');
  else if (command === 'runner' && (subcommand === undefined || subcommand === '--once'))
    await import('../runner/src/main.ts');
  else await import('../server/src/main.ts');
} else {
  const node = findNode();
  if (node) {
    const command = [...PRODUCT_FLAGS, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
    process.exitCode = await runInForeground(node, command);
  } else {
    console.error('Signalbox needs Node 24, which its lock file installs: run `npm ci` in its folder first.');
    process.exitCode = 1;
  }
}
