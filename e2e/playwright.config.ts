import { defineConfig } from '@playwright/test';
import { drawSeed } from '../testing/seed.ts';
import { findChromium } from './chromium.ts';

drawSeed();

/** The flags prevent requests that Chromium makes of its own accord, for machines without a network. */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The longest files. They start first, so that no worker is idle while the last one runs. */
const LONG = ['run-times', 'screens', 'schedules', 'storage'].map((name) => `${name}.spec.ts`);

export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'long', testMatch: LONG },
    { name: 'others', testMatch: '**/*.spec.ts', testIgnore: LONG },
  ],
  outputDir: 'results',
  // One for each core of a small machine: a test compares how long runs take with how long they were expected to.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 300_000,
  // Long enough that only a hang exceeds it, not a busy machine.
  expect: { timeout: 60_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // Without a graphics card, the icon of a running task is drawn by the processor: a sixth of one core.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: findChromium(), args: CHROMIUM_FLAGS },
    screenshot: 'only-on-failure',
  },
});
