import { join } from 'node:path';
import { runInForeground } from './child.mjs';
import { install } from './install.mjs';
import { findNode, ROOT } from './node24.mjs';
import { buildPage } from './page.mjs';
import { checkSettings } from './settings.mjs';
import { runMain } from './steps.mjs';

/** The sources of the server, and the page that it serves. */
const WATCHED = ['server/src', 'contract/src', 'lang', 'web/dist'];

/** `npm run dev`: the server and the page, each rebuilt when its source changes. One Ctrl-C ends both. */
await runMain(async () => {
  await checkSettings();
  await install();
  await buildPage();
  const node = findNode() ?? process.execPath;
  const watch = WATCHED.map((folder) => `--watch-path=${join(ROOT, folder)}`);
  const server = [...watch, '--watch-preserve-output', join(ROOT, 'bin', 'signalbox.mjs'), 'server'];
  const page = [join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--watch', '--clearScreen=false'];
  const codes = await Promise.all([
    runInForeground(node, server, { cwd: ROOT, apart: true }),
    runInForeground(node, page, { cwd: join(ROOT, 'web'), apart: true }),
  ]);
  process.exitCode = Math.max(...codes);
});
