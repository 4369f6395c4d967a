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

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: 'results',
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
    launchOptions: { executablePath: findChromium(), args: CHROMIUM_FLAGS },
    screenshot: 'only-on-failure',
  },
});
