import { SEEDED, TEMPLATES } from '../../tooling/product/seed-sql.ts';
import { withStoredProduct } from '../../tooling/product/stored-product.ts';
import { ConsolePage, LONG_TASK_MS, type Strain, shownLong } from '../console-page.ts';
import type { Measure, Row } from '../measure.ts';
import { median, percentile, shown } from '../statistics.ts';

const AMOUNTS = { tasks: 10_000, events: 1_000 };
const RUNS = 5;
const AIM_MS = 400;
/** Users do not notice a delay of two frames after a key. */
const KEY_AIM_MS = 30;
const TYPED = 'number 49';
/** Holds once the filter has hidden most rows. */
const FEW_ROWS = 'document.querySelector("main table").tBodies.length < 10';
const ROWS = 'document.querySelectorAll("tr[data-template]").length';
const FILTER = 'document.querySelector("main input[type=search]")';
const LAST_ROWS =
  'document.querySelector("main table").tBodies[document.querySelector("main table").tBodies.length - 1]';

const SCROLL_TO_END = 'window.scrollTo(0, document.documentElement.scrollHeight)';

/** An HTML file with the texts of the table, without controls and scripts. */
const plainTable = (cells: readonly (readonly string[])[]): string => {
  const safe = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const rows = cells.map((row) => `<tr data-template>${row.map((text) => `<td>${safe(text)}</td>`).join('')}</tr>`);
  return `<!doctype html><meta charset="utf-8"><title>Plain</title><main><input type="search"><table>${rows.join('')}</table></main>`;
};

/** More rows than fit on a screen. */
const SCREEN_ROWS = 20;

/**
 * Milliseconds from the navigation, at which the clock of the page begins, until the rows are drawn and the filter
 * accepts text.
 */
const openPage = (console: ConsolePage, address: string, rows: number): Promise<Strain> =>
  console.watchNavigation(address, `${ROWS} >= ${rows} && ${FILTER}?.disabled === false`);

const texts = (runs: readonly Strain[]): string => {
  const middle = runs.toSorted((a, b) => a.ms - b.ms)[Math.floor(runs.length / 2)];
  return `${shownLong(middle?.long ?? [])}, heap ${shown(middle?.heapMb ?? Number.NaN, 1)} MB`;
};

const medianOf = (runs: readonly Strain[]): number => median(runs.map(({ ms }) => ms));

const openingRow = (ours: readonly Strain[], bare: readonly Strain[]): Row => ({
  what: 'From the navigation to a screen of rows and a filter that takes text (median)',
  result: `${shown(medianOf(ours))} ms, ${texts(ours)}`,
  baseline: `plain HTML table, ${shown(medianOf(bare))} ms, ${shownLong(bare[0]?.long ?? [])}`,
  ratio: shown(medianOf(ours) / medianOf(bare), 1),
  aim: `< ${shown(AIM_MS)} ms`,
  isMet: medianOf(ours) < AIM_MS,
});

const endRow = (runs: readonly Strain[]): Row => ({
  what: `From the End key to the last of ${TEMPLATES} rows (median)`,
  result: `${shown(medianOf(runs))} ms, ${texts(runs)}`,
  baseline: '–',
  ratio: '–',
  aim: '–',
  isMet: undefined,
});

const keysRow = (times: readonly number[], runs: readonly Strain[]): Row => {
  const long = runs.flatMap((run) => run.long);
  return {
    what: 'From a key in the filter to the next frame (p50 / p95)',
    result: `${shown(percentile(times, 0.5))} / ${shown(percentile(times, 0.95))} ms, ${shownLong(long)} in ${times.length} keys`,
    baseline: '–',
    ratio: '–',
    aim: `p95 < ${KEY_AIM_MS} ms, no long task`,
    isMet: percentile(times, 0.95) < KEY_AIM_MS && long.length === 0,
  };
};

/** Sets the text of the filter as a key does, and returns the milliseconds to the frame that shows it. */
const typeKeys = async (console: ConsolePage, times: number[]): Promise<Strain> =>
  console.watch(async () => {
    for (let length = 1; length <= TYPED.length; length += 1)
      times.push(await console.untilDrawn('true', setText(TYPED.slice(0, length))));
    return console.until(FEW_ROWS);
  });

const setText = (text: string): string =>
  `Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(${FILTER}, ${JSON.stringify(text)});
   ${FILTER}.dispatchEvent(new Event("input", { bubbles: true }))`;

export const templatesPage: Measure = {
  name: 'templates',
  title: 'The templates page',
  run: () =>
    withStoredProduct('SQLite', AMOUNTS, async (product) =>
      ConsolePage.with(await product.client(), async (console) => {
        const { page } = console;
        const address = `${product.address}/project/${SEEDED.projectId}/templates`;
        await openPage(console, address, SCREEN_ROWS);
        const cells = await page.evaluate(() =>
          [...document.querySelectorAll('tr[data-template]')].map((row) =>
            [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? ''),
          ),
        );
        const rows = Array.from({ length: TEMPLATES }, (_, at) => cells[at % cells.length] ?? []);
        const plain = `${product.address}/plain-table`;
        const [opened, bare, ended, typed]: [Strain[], Strain[], Strain[], Strain[]] = [[], [], [], []];
        const keys: number[] = [];
        for (let run = 0; run < RUNS; run += 1) {
          // Only for this page: a browser whose requests are intercepted has no cache.
          await page.route(plain, (route) => route.fulfill({ contentType: 'text/html', body: plainTable(rows) }));
          bare.push(await openPage(console, plain, TEMPLATES));
          await page.unroute(plain);
          opened.push(await openPage(console, address, SCREEN_ROWS));
          await console.idle();
          ended.push(
            await console.watch(() => console.until(`${LAST_ROWS}.dataset.drawn !== undefined`, SCROLL_TO_END)),
          );
          await page.locator('main input[type=search]').focus();
          typed.push(await typeKeys(console, keys));
        }
        return {
          rows: [openingRow(opened, bare), endRow(ended), keysRow(keys, typed)],
          how: `A product with ${shown(AMOUNTS.tasks)} tasks of ${TEMPLATES} templates per project is opened in Chromium, ${RUNS} times in turn with an HTML file of as many rows without scripts, both with a warm browser cache. Rows are drawn while they are near the visible part. Then the page is scrolled to its end, and ${TYPED.length} keys are typed into the filter. A long task is one of the main thread of more than ${LONG_TASK_MS} ms: in the median run, and for the keys in all runs. The heap contains the objects of the page after a garbage collection.`,
        };
      }),
    ),
};
