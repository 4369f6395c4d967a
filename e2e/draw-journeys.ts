import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { COSTLY_JOURNEYS, JOURNEYS_SHARE } from '../testing/costly-tests.ts';
import { drawSample } from '../testing/sample.ts';

/** A file or a group of tests, as Playwright lists it. */
interface Suite {
  readonly title: string;
  readonly file: string;
  readonly specs: readonly { readonly title: string; readonly file: string }[];
  readonly suites?: readonly Suite[];
}

const PLAYWRIGHT = join(createRequire(import.meta.url).resolve('@playwright/test/package.json'), '..', 'cli.js');

/** The tests of a suite, in the format of Playwright's lists of tests: `stop.spec.ts › title`. */
const testsOf = ({ specs, suites = [] }: Suite): string[] => [
  ...specs.map(({ file, title }) => `${file} › ${title}`),
  ...suites.flatMap(testsOf),
];

const listed = execFileSync(
  process.execPath,
  [PLAYWRIGHT, 'test', `--config=${join(import.meta.dirname, 'playwright.config.ts')}`, '--list', '--reporter=json'],
  { encoding: 'utf8', maxBuffer: 2 ** 26 },
);
const { suites } = JSON.parse(listed) as { readonly suites: readonly Suite[] };
const costly = suites.flatMap(testsOf).filter((test) => COSTLY_JOURNEYS.some((file) => test.startsWith(`${file} › `)));
const drawn = new Set(drawSample('costly browser tests', costly, Math.ceil(costly.length * JOURNEYS_SHARE)));

/** Prints the costly tests that this run leaves out, for `playwright test --test-list-invert`. */
process.stdout.write(
  costly
    .filter((test) => !drawn.has(test))
    .map((test) => `${test}\n`)
    .join(''),
);
