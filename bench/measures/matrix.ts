import { ConsolePage, LONG_TASK_MS, type Strain, shownLong } from '../console-page.ts';
import { resultsRepository } from '../line-plugin.ts';
import type { Measure, Row } from '../measure.ts';
import { withProduct } from '../measured-product.ts';
import { shown } from '../statistics.ts';

const HOSTS = 10_000;
const STEPS = 300;
const LIMIT_MS = 900_000;
/** Frames of a scroll, and pixels between two of them. */
const FRAMES = 240;
const PIXELS = 97;
/** Part of the frames that must be in time: other programs use the same cores. */
const IN_TIME = 0.95;
const HEAP_MB = 300;

const GRID = 'document.querySelector("[role=dialog] [aria-describedby=matrix-cell]")';
const FILTERS = 'document.querySelector("[role=dialog] fieldset")';
const FOLD = 'document.querySelector("[role=dialog] input[type=checkbox]")';

const row = (what: string, strain: Strain, aim = '–', isMet: boolean | undefined = undefined): Row => ({
  what,
  result: `${shown(strain.ms)} ms, ${shownLong(strain.long)}, ${strain.gaps} of ${strain.frames} frames late, heap ${shown(strain.heapMb, 1)} MB`,
  ...{ baseline: '–', ratio: '–', aim, isMet },
});

/** Scrolls by a distance in each frame. */
const scroll = (x: number, y: number): string => `(() => {
  const box = ${GRID};
  let left = ${FRAMES};
  globalThis.scrolled = false;
  const next = () => {
    box.scrollBy(${x}, ${y});
    left -= 1;
    if (left > 0) requestAnimationFrame(next);
    else globalThis.scrolled = true;
  };
  requestAnimationFrame(next);
})()`;

const scrollRow = (what: string, strain: Strain): Row =>
  row(what, strain, '95% of the frames in time', strain.gaps <= strain.frames * (1 - IN_TIME));

export const matrix: Measure = {
  name: 'matrix',
  title: 'Matrix of 10,000 hosts and 300 steps',
  run: async () => {
    const rows = await withProduct(resultsRepository(HOSTS, STEPS), async ({ product, project, feed, client }) => {
      const { id } = await project.run(await project.template('noisy.yml'));
      await feed.success(id, LIMIT_MS);
      const address = `${product.address}/project/${project.params.project_id}/history?t=${id}`;
      return await ConsolePage.with(client, async (console) => {
        await console.page.goto(address);
        const tab = 'document.querySelector("[role=dialog] [data-tab=hosts]")';
        await console.until(`${tab} !== null`);
        await console.idle();
        const isLoaded = `/10,000 of 10,000 done|9,900 of 10,000 done/.test(document.querySelector("[role=dialog]").textContent)`;
        const open = await console.watch(() => console.until(isLoaded, `${tab}.click()`, LIMIT_MS));
        const isShort = (strain: Strain) => strain.long.every((ms) => ms <= LONG_TASK_MS);
        const unfold = await console.watch(() =>
          console.until(`${GRID}.scrollHeight > ${HOSTS * 20}`, `${FOLD}.click()`),
        );
        const down = await console.watch(() => console.until('globalThis.scrolled', scroll(0, PIXELS)));
        const across = await console.watch(() => console.until('globalThis.scrolled', scroll(23, 0)));
        const filter = await console.watch(() =>
          console.until(`${GRID}.scrollHeight < ${HOSTS * 5}`, `${FILTERS}.querySelectorAll('button')[1].click()`),
        );
        return [
          row('From the click on the tab until all hosts are folded', open, 'no task over 50 ms', isShort(open)),
          row('Unfolding 10,000 rows', unfold, 'no task over 50 ms', isShort(unfold)),
          scrollRow('Scrolling over 900 rows, 97 px per frame', down),
          scrollRow('Scrolling over 240 columns, one per frame', across),
          row('Filtering the failed hosts', filter, 'no task over 50 ms', isShort(filter)),
          row('Memory of the page after all of it', filter, `heap < ${HEAP_MB} MB`, filter.heapMb < HEAP_MB),
        ];
      });
    });
    return {
      rows,
      how: `A run of ${STEPS} steps on ${shown(HOSTS)} hosts, made by a callback plugin as in the measure of results. Chromium without a graphics processor opens its matrix in a window of 1280 × 800 and scrolls by script in each frame. A frame is late if more than 33 ms passed since the one before. The browser, the server and the runner share the cores of the machine.`,
    };
  },
};
