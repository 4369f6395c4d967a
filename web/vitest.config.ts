import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { contractPlugin } from './build/contract-plugin.ts';
import { textsPlugin } from './build/texts-plugin.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), contractPlugin(), textsPlugin()],
  test: {
    name: 'web',
    // Without the limit of the other projects, the tests would run after theirs, one file at a time.
    maxWorkers: 4,
    isolate: false,
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}', 'build/**/*.test.ts'],
    setupFiles: ['./src/test-setup.ts'],
    restoreMocks: true,
    // A whole dialog that is typed into takes long where the machine has more to do.
    testTimeout: 90_000,
    // `npm test` without a filter runs a sample of the tests of costly files.
    ...(process.env.SIGNALBOX_TEST_DRAW === '1' ? { runner: '../testing/drawing-runner.ts' } : {}),
  },
});
