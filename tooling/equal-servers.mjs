import { join } from 'node:path';
import { runInForeground } from './child.mjs';
import { install } from './install.mjs';
import { findNode, ROOT } from './node24.mjs';
import { buildPage } from './page.mjs';
import { runMain } from './steps.mjs';
import { provideTools, TEST_TOOLS } from './system-packages.mjs';

/**
 * `npm run equal-servers -- 2000 7`: 2000 tasks on three servers and ten runners that are killed and restarted, with
 * pages in Chromium; `-- 200 7 locks` runs tasks with locks and hosts that overlap. The same seed makes the same tasks and restarts.
 */
await runMain(async () => {
  await provideTools(TEST_TOOLS);
  await install();
  await buildPage();
  const command = [join(ROOT, 'e2e', 'equal-servers', 'main.ts'), ...process.argv.slice(2)];
  process.exitCode = await runInForeground(findNode() ?? process.execPath, command, { cwd: ROOT });
});
