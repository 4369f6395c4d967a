import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { drawSeed } from './testing/seed.ts';
import { PRODUCT_FLAGS } from './tooling/node24.mjs';

drawSeed();
// Test processes inherit this cache of compiled code, so each file is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'signalbox');

/** Tests run real programs (git, ansible-playbook, databases), so a test may take a minute on a busy machine. */
const nodeProject = (name: string) => ({
  extends: true as const,
  test: { name, root: `./${name}`, include: ['**/*.test.ts'], environment: 'node' as const },
});

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    // What is polled for comes within milliseconds; on a busy machine a second is not enough.
    expect: { poll: { timeout: 15_000 } },
    // Tests wait for processes, disks and moments in about a third of their time: one worker more than the two cores.
    maxWorkers: 3,
    pool: 'forks',
    provide: { productFlags: PRODUCT_FLAGS },
    coverage: {
      include: ['src/**/*.ts'],
      exclude: ['**/testing/**', '**/*.test.ts', '**/*.testing.ts'],
      reporter: ['json-summary'],
    },
    projects: [
      ...['contract', 'lang', 'runner', 'bench', 'tooling'].map(nodeProject),
      {
        ...nodeProject('server'),
        test: {
          ...nodeProject('server').test,
          globalSetup: join(import.meta.dirname, 'server/src/testing/prepared-databases.setup.ts'),
        },
      },
      ...(existsSync(new URL('./web/vitest.config.ts', import.meta.url)) ? ['./web/vitest.config.ts'] : []),
    ],
  },
});
