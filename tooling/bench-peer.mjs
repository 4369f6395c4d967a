import { join } from 'node:path';
import { runInForeground } from './child.mjs';
import { install } from './install.mjs';
import { findNode, ROOT } from './node24.mjs';
import { runMain } from './steps.mjs';

/** `npm run bench:peer` installs what is missing, then measures a server that already runs. */
await runMain(async () => {
  await install();
  const command = [join(ROOT, 'bench', 'peer.ts'), ...process.argv.slice(2)];
  process.exitCode = await runInForeground(findNode() ?? 'node', command, { cwd: ROOT });
});
