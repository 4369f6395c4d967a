import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildPage } from './page.mjs';

const ASSETS = join(import.meta.dirname, '..', 'web', 'dist', 'assets');

it('what every screen of the console needs is at most 190 kB of compressed scripts', async () => {
  await buildPage();
  const files = readdirSync(ASSETS).filter((name) =>
    /^(?:start|libraries|components|console)-[^.]*\.js\.gz$/.test(name),
  );
  expect(files).toHaveLength(4);
  expect(files.reduce((sum, name) => sum + statSync(join(ASSETS, name)).size, 0)).toBeLessThan(190_000);
}, 120_000);
