import { join } from 'node:path';
import { runInForeground } from './child.mjs';
import { install } from './install.mjs';
import { findNode, ROOT } from './node24.mjs';
import { runMain } from './steps.mjs';
import { provideTools, RUN_TOOLS } from './system-packages.mjs';

/** `npm run fuzz:schema -- 20 7` sends 20 requests that the OpenAPI file allows for each call, from seed 7, to a new server. */
await runMain(async () => {
  await provideTools(RUN_TOOLS);
  await install();
  const command = [join(ROOT, 'tooling', 'peer', 'fuzz-schema.ts'), ...process.argv.slice(2)];
  process.exitCode = await runInForeground(findNode() ?? process.execPath, command, { cwd: ROOT });
});
