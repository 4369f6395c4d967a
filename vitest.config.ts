import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { promisesToDraw } from './testing/promises-to-draw.ts';
import { drawSeed } from './testing/seed.ts';
import { PRODUCT_FLAGS } from './tooling/node24.mjs';

drawSeed();
// Test processes inherit this cache of compiled code, so each file is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'signalbox');

/** Each has a process of its own, because it adds an app to the table of apps, or measures the longest turn of its thread. */
const OWN_PROCESS = ['apps', 'large-bodies', 'large-host-list', 'large-lists', 'large-results', 'runner-frame'].map(
  (name) => `**/src/**/${name}.test.ts`,
);

/** Tests run real programs (git, ansible-playbook, databases), so a test may take a minute on a busy machine. */
const nodeProject = (name: string, options: TestProjectInlineConfiguration['test'] = {}) => ({
  extends: true as const,
  test: {
    name,
    root: `./${name}`,
    include: ['**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...OWN_PROCESS],
    environment: 'node' as const,
    ...DRAWN,
    ...options,
  },
});

const WITH_DATABASES = { globalSetup: join(import.meta.dirname, 'server/src/testing/prepared-databases.setup.ts') };

/** `npm test` without a filter runs a sample of the tests of costly files. */
const isDrawn = process.env.SIGNALBOX_TEST_DRAW === '1';
const DRAWN = isDrawn ? { runner: join(import.meta.dirname, 'testing/drawing-runner.ts') } : {};
// Test processes inherit it.
if (isDrawn) process.env.SIGNALBOX_TEST_PROMISES = JSON.stringify(promisesToDraw());

/** Many files share a process, because importing what they test takes longer than most of their tests. */
const SHARED = { isolate: false };

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    // What is polled for comes within milliseconds; on a busy machine a second is not enough.
    expect: { poll: { timeout: 15_000 } },
    // Tests wait for processes, disks and moments in about half of their time: twice as many workers as cores.
    maxWorkers: 4,
    pool: 'forks',
    // Tests make much garbage, which a larger space for new objects collects less often.
    execArgv: ['--max-semi-space-size=32'],
    provide: { productFlags: PRODUCT_FLAGS, compileCache: process.env.NODE_COMPILE_CACHE },
    coverage: {
      include: ['src/**/*.ts'],
      exclude: ['**/testing/**', '**/*.test.ts', '**/*.testing.ts'],
      reporter: ['json-summary'],
    },
    projects: [
      ...['contract', 'lang', 'bench', 'tooling'].map((name) => nodeProject(name)),
      nodeProject('runner', SHARED),
      nodeProject('server', { ...SHARED, ...WITH_DATABASES }),
      nodeProject('own-process', {
        ...WITH_DATABASES,
        root: '.',
        include: OWN_PROCESS,
        exclude: configDefaults.exclude,
        execArgv: [],
      }),
      ...(existsSync(new URL('./web/vitest.config.ts', import.meta.url)) ? ['./web/vitest.config.ts'] : []),
    ],
  },
});
