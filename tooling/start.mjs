import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runInForeground } from './child.mjs';
import { install } from './install.mjs';
import { findNode, PRODUCT_FLAGS, ROOT } from './node24.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { buildPage } from './page.mjs';
import { checkSettings } from './settings.mjs';
import { Refusal, runMain } from './steps.mjs';
import { provideTools, RUN_TOOLS } from './system-packages.mjs';

/** `npm start`: installs what is missing, then becomes the server. Runs on any Node from 20 on, with nothing installed. */
await runMain(async () => {
  await checkSettings();
  // Two simultaneous starts would overwrite each other's installation and build.
  await oneAtATime(async () => {
    await provideTools(RUN_TOOLS);
    await install();
    await buildPage();
  });
  const node = findNode();
  if (!node)
    throw new Refusal('There is no Node 24 for this machine in npm: install Node 24 or newer and start again.');
  const server = [node, ...PRODUCT_FLAGS, join(ROOT, 'bin', 'signalbox.mjs'), 'server', ...process.argv.slice(2)];
  // If this process is killed, the server still stops in order.
  const bound = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'TERM', ...server] : server;
  const [file = node, ...args] = bound;
  process.exitCode = await runInForeground(file, args, { cwd: ROOT, apart: true });
});
