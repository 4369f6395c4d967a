import { join } from 'node:path';
import { runInForeground } from './child.mjs';
import { install } from './install.mjs';
import { findNode, ROOT } from './node24.mjs';
import { buildPage } from './page.mjs';
import { runMain } from './steps.mjs';
import { provideTools, RUN_TOOLS } from './system-packages.mjs';

/** `npm run bench`: installs what is missing, then measures. */
await runMain(async () => {
  await provideTools(RUN_TOOLS);
  await install();
  await buildPage();
  const command = [join(ROOT, 'bench', 'main.ts'), ...process.argv.slice(2)];
  process.exitCode = await runInForeground(findNode() ?? 'node', command, { cwd: ROOT });
});
