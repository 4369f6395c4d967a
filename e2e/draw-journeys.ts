import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { shareOf } from '../testing/costly-tests.ts';
import { drawTests } from '../testing/draw-tests.ts';

/** A file or a group of tests, as Playwright lists it. */
interface Suite {
  readonly title: string;
  readonly specs: readonly { readonly title: string }[];
  readonly suites?: readonly Suite[];
}

const PLAYWRIGHT = join(createRequire(import.meta.url).resolve('@playwright/test/package.json'), '..', 'cli.js');

/** The tests of a suite, in the format of Playwright's lists of tests: `hosts.spec.ts › on a phone › hosts are selected`. */
const testsOf = ({ title, specs, suites = [] }: Suite): string[] =>
  [...specs.map((spec) => spec.title), ...suites.flatMap(testsOf)].map((name) => `${title} › ${name}`);

/** The tests of a costly file that this run leaves out. */
const leftOut = (file: Suite): string[] => {
  const path = `e2e/${file.title}`;
  const share = shareOf(path);
  if (share === 1) return [];
  const tests = testsOf(file);
  const drawn = drawTests(path, tests, share);
  return tests.filter((test) => !drawn.has(test));
};

const listed = execFileSync(
  process.execPath,
  [PLAYWRIGHT, 'test', `--config=${join(import.meta.dirname, 'playwright.config.ts')}`, '--list', '--reporter=json'],
  { encoding: 'utf8', maxBuffer: 2 ** 26 },
);
const { suites } = JSON.parse(listed) as { readonly suites: readonly Suite[] };

/** Prints the tests that this run leaves out, for `playwright test --test-list-invert`. */
process.stdout.write(
  suites
    .flatMap(leftOut)
    .map((test) => `${test}\n`)
    .join(''),
);
