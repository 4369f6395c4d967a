#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { runInForeground } from '../tooling/child.mjs';
import { findNode, runsProduct } from '../tooling/node24.mjs';

if (runsProduct()) {
  await (process.argv[2] === 'runner' ? import('../runner/src/main.ts') : import('../server/src/main.ts'));
} else {
  const node = findNode();
  if (node) {
    process.exitCode = await runInForeground(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
  } else {
    console.error('Signalbox needs Node 24, which its lock file brings: run `npm ci` in its folder first.');
    process.exitCode = 1;
  }
}
