import { SEEDED, TEMPLATES } from '../../tooling/product/seed-sql.ts';
import { withStoredProduct } from '../../tooling/product/stored-product.ts';
import { ConsolePage, LONG_TASK_MS, type Strain, shownLong } from '../console-page.ts';
import type { Measure, Row } from '../measure.ts';
import { median, shown } from '../statistics.ts';

const AMOUNTS = { tasks: 10_000, events: 1_000 };
const RUNS = 5;
/** Users perceive a page that is drawn within this time as immediate. */
const AIM_MS = 1_000;
const ROWS = 'document.querySelectorAll("tr[data-template]").length';
const FILTER = 'document.querySelector("main input[type=search]")';

/** An HTML file with the texts of the table, without controls and scripts. */
const plainTable = (cells: readonly (readonly string[])[]): string => {
  const safe = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const rows = cells.map((row) => `<tr data-template>${row.map((text) => `<td>${safe(text)}</td>`).join('')}</tr>`);
  return `<!doctype html><meta charset="utf-8"><title>Plain</title><main><input><table>${rows.join('')}</table></main>`;
};

/** More rows than fit on a screen. */
const SCREEN_ROWS = 20;

/**
 * Milliseconds from the navigation, at which the clock of the page begins, until the rows are drawn and the filter
 * accepts text.
 */
const openPage = (console: ConsolePage, address: string, rows = TEMPLATES): Promise<Strain> =>
  console.watchNavigation(address, `${ROWS} >= ${rows} && ${FILTER}?.disabled === false`);

const rowOf = (what: string, runs: readonly Strain[], bare: readonly Strain[], aim?: number): Row => {
  const [ours, plain] = [median(runs.map(({ ms }) => ms)), median(bare.map(({ ms }) => ms))];
  const middle = runs.toSorted((a, b) => a.ms - b.ms)[Math.floor(runs.length / 2)];
  return {
    what,
    result: `${shown(ours)} ms, ${shownLong(middle?.long ?? [])}, heap ${shown(middle?.heapMb ?? Number.NaN, 1)} MB`,
    baseline: bare.length === 0 ? '–' : `plain HTML table, ${shown(plain)} ms, ${shownLong(bare[0]?.long ?? [])}`,
    ratio: bare.length === 0 ? '–' : shown(ours / plain, 1),
    aim: aim === undefined ? '–' : `< ${shown(aim)} ms`,
    isMet: aim === undefined ? undefined : ours < aim,
  };
};

export const templatesPage: Measure = {
  name: 'templates',
  title: 'The templates page',
  run: () =>
    withStoredProduct('SQLite', AMOUNTS, async (product) =>
      ConsolePage.with(await product.client(), async (console) => {
        const { page } = console;
        const address = `${product.address}/project/${SEEDED.projectId}/templates`;
        await openPage(console, address);
        const cells = await page.evaluate(() =>
          [...document.querySelectorAll('tr[data-template]')].map((row) =>
            [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? ''),
          ),
        );
        const plain = `${product.address}/plain-table`;
        await page.route(plain, (route) => route.fulfill({ contentType: 'text/html', body: plainTable(cells) }));
        const [usable, ours, bare, filtered]: [Strain[], Strain[], Strain[], Strain[]] = [[], [], [], []];
        for (let run = 0; run < RUNS; run += 1) {
          bare.push(await openPage(console, plain));
          usable.push(await openPage(console, address, SCREEN_ROWS));
          ours.push(await openPage(console, address));
          await page.locator('main input[type=search]').focus();
          filtered.push(
            await console.watch(async () => {
              const found = console.until(`${ROWS} > 0 && ${ROWS} < ${TEMPLATES}`);
              await page.keyboard.type('number 49');
              return found;
            }),
          );
        }
        return {
          rows: [
            rowOf(
              'From the navigation to a screen of rows and a filter that takes text (median)',
              usable,
              bare,
              AIM_MS,
            ),
            rowOf(`From the navigation to all ${TEMPLATES} rows (median)`, ours, bare),
            rowOf('From the first of nine keys in the filter to fewer rows (median)', filtered, []),
          ],
          how: `A product with ${shown(AMOUNTS.tasks)} tasks of ${TEMPLATES} templates per project is opened in Chromium, ${RUNS} times in turn with an HTML file of the same rows without scripts, both with a warm browser cache. A long task is one of the main thread of more than ${LONG_TASK_MS} ms, in the median run. The heap contains the objects of the page after a garbage collection.`,
        };
      }),
    ),
};
