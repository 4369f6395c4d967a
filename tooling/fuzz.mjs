import { join } from 'node:path';
import { runInForeground } from './child.mjs';
import { install } from './install.mjs';
import { findNode, ROOT } from './node24.mjs';
import { withPostgres } from './postgres.mjs';
import { runMain } from './steps.mjs';
import { provideTools, TEST_TOOLS } from './system-packages.mjs';

const DEFAULT_REQUESTS = '100000';

/**
 * Sends requests made from the route table to a server on each database: `npm run fuzz -- 500000 7` sends
 * 500000 requests, generated from the seed 7.
 */
const [requests = DEFAULT_REQUESTS, seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);

await runMain(async () => {
  await provideTools(TEST_TOOLS);
  await install();
  process.stdout.write(`${requests} requests from seed ${seed}\n`);
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--project', 'server', 'server/src/http/calls/fuzz.test.ts'];
  process.exitCode = await withPostgres((url) =>
    runInForeground(findNode() ?? process.execPath, args, {
      cwd: ROOT,
      env: {
        ...process.env,
        SIGNALBOX_TEST_POSTGRES: url,
        SIGNALBOX_FUZZ_REQUESTS: requests,
        SIGNALBOX_FUZZ_SEED: seed,
      },
    }),
  );
});
