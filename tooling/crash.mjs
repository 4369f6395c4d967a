import { join } from 'node:path';
import { runInForeground } from './child.mjs';
import { install } from './install.mjs';
import { findNode, ROOT } from './node24.mjs';
import { runMain } from './steps.mjs';
import { provideTools, RUN_TOOLS } from './system-packages.mjs';

/**
 * `npm run crash -- 1000 7`: 1000 runs in which random processes are killed, planned from the seed 7. The
 * journal lists the kills and stops; the same seed repeats them.
 */
await runMain(async () => {
  await provideTools(RUN_TOOLS);
  await install();
  const command = [join(ROOT, 'tooling', 'product', 'crash', 'main.ts'), ...process.argv.slice(2)];
  process.exitCode = await runInForeground(findNode() ?? process.execPath, command, { cwd: ROOT });
});
