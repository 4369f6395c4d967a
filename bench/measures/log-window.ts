import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsolePage, FRAME_GAP_MS, LONG_TASK_MS, type Strain, shownLong } from '../console-page.ts';
import { logRepository } from '../line-plugin.ts';
import { writeLines } from '../long-lines.ts';
import type { Measure, Row } from '../measure.ts';
import { type MeasuredProduct, withProduct } from '../measured-product.ts';
import { shown } from '../statistics.ts';

const LINES = 1_000_000;
const FLOOD_LIMIT_MS = 300_000;
const FOLLOWED = { linesPerSecond: 5_000, seconds: 15 };
/** Duration in which frames are counted, from the first lines on. */
const WATCHED_MS = 8_000;
const NOTCHES = 60;
const BOX = 'document.querySelector("[role=dialog] [data-total]")';
/** The numbers of the lines whose text is drawn. */
const DRAWN =
  '[...document.querySelectorAll("[role=dialog] [data-line]:has([data-text=true])")].map((row) => Number(row.dataset.line))';
const HITS = '(document.querySelector("[role=dialog] search [role=status]")?.textContent ?? "")';
const TOTAL = `Number(${BOX}?.dataset.total)`;

interface Stage {
  readonly measured: MeasuredProduct;
  readonly console: ConsolePage;
  /** The file with the lines of the long log. */
  readonly file: string;
}

const row = (what: string, strain: Strain, baseline = '–', bareMs?: number): Row => ({
  what,
  result: `${shown(strain.ms)} ms, ${shownLong(strain.long)}, ${strain.gaps} of ${strain.frames} frames late, heap ${shown(strain.heapMb, 1)} MB`,
  baseline: bareMs === undefined ? baseline : `${baseline}, ${shown(bareMs)} ms`,
  ratio: bareMs === undefined ? '–' : shown(strain.ms / bareMs, 1),
  aim: '–',
  isMet: undefined,
});

/** Opens the history, and there the log of a task by its link. */
const openLog = async ({ measured, console }: Stage, task: number, condition: string): Promise<Strain> => {
  await console.page.goto(`${measured.product.address}/project/${measured.project.params.project_id}/history`);
  const link = `[...document.querySelectorAll("main a")].find((a) => a.textContent === "#${task}")`;
  await console.until(`${link} !== undefined`);
  return console.watch(() => console.until(condition, `${link}.click()`));
};

/** Milliseconds in which the page fetches one block of lines, without drawing it. */
const fetchBlock = ({ measured, console }: Stage, task: number, from: number): Promise<number> =>
  console.page.evaluate(async (url) => {
    const since = performance.now();
    await (await fetch(url)).json();
    return performance.now() - since;
  }, `${measured.product.address}/api/project/${measured.project.params.project_id}/tasks/${task}/lines?from=${from}&limit=500`);

const measureJumps = async (stage: Stage, task: number): Promise<Row[]> => {
  const { console } = stage;
  const jump = (share: number, condition: string) =>
    console.watch(() => console.until(condition, `${BOX}.scrollTo(0, ${BOX}.scrollHeight * ${share})`));
  const middle = await jump(0.5, `${DRAWN}.some((line) => Math.abs(line - ${LINES / 2}) < 5000)`);
  const end = await jump(1, `${DRAWN}.some((line) => line > ${LINES})`);
  const bare = await fetchBlock(stage, task, LINES / 4);
  return [
    row('Jump to the middle', middle, 'fetching one block of 500 lines in the page', bare),
    row('Jump back to the end, which is known', end),
  ];
};

const measureSearch = async ({ console, file }: Stage, what: string, text: string, hits: number): Promise<Row> => {
  const since = performance.now();
  execFileSync('grep', ['--count', '--fixed-strings', text, file]);
  const bare = performance.now() - since;
  await console.page.getByRole('button', { name: 'Search the log' }).click();
  await console.page.locator('[role=dialog] search input').waitFor();
  const strain = await console.watch(() => {
    const found = console.until(
      `${HITS}.includes(${JSON.stringify(shown(hits))}) && !${HITS}.includes("%")`,
      '',
      FLOOD_LIMIT_MS,
    );
    return console.page.keyboard.insertText(text).then(() => found);
  });
  await console.page.keyboard.press('Escape');
  return row(`Search the whole log, ${what}`, strain, 'grep --count on the file', bare);
};

/** Turns the mouse wheel by one notch per frame. */
const scroll = ({ console }: Stage): Promise<Strain> =>
  console.watch(async () => {
    await console.page.locator('[role=dialog] [data-total]').hover();
    for (let notch = 0; notch < NOTCHES; notch += 1) {
      await console.page.mouse.wheel(0, -300);
      await console.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    return undefined;
  });

const measureScrolling = async (stage: Stage): Promise<Row[]> => {
  const plain = await scroll(stage);
  await stage.console.page.getByRole('button', { name: 'Wrap long lines' }).click();
  const wrapped = await scroll(stage);
  return [
    row(`Scroll up ${NOTCHES} notches of 300 px`, plain),
    row(`Scroll up ${NOTCHES} notches with wrapped lines`, wrapped, 'not wrapped', plain.ms),
  ];
};

/** Frames of an idle page in the same browser. */
const watchEmpty = async ({ console }: Stage): Promise<Strain> => {
  await console.page.goto('data:text/html,<title>Empty</title>');
  return console.watch(() => console.until(`passed > ${WATCHED_MS}`));
};

const measureFollow = async (stage: Stage): Promise<Row> => {
  const { measured, console } = stage;
  const empty = await watchEmpty(stage);
  const { id } = await measured.project.run(await measured.project.template('steady.yml'));
  await openLog(stage, id, `${TOTAL} > ${FOLLOWED.linesPerSecond}`);
  const before = await console.page.evaluate<number>(TOTAL);
  const strain = await console.watch(() => console.until(`passed > ${WATCHED_MS}`));
  const came = (await console.page.evaluate<number>(TOTAL)) - before;
  await measured.feed.success(id, FLOOD_LIMIT_MS);
  const share = ({ gaps, frames }: Strain) => gaps / frames;
  return {
    ...row(
      `Follow ${shown(FOLLOWED.linesPerSecond)} lines/s for ${WATCHED_MS / 1000} s (${shown((came / strain.ms) * 1000)} lines/s shown)`,
      strain,
    ),
    baseline: `an empty page, ${empty.gaps} of ${empty.frames} frames late`,
    ratio: `${shown(share(strain) * 100, 1)} % against ${shown(share(empty) * 100, 1)} %`,
  };
};

const measureAll = async (stage: Stage, long: number, short: number): Promise<Row[]> => {
  const brief = await openLog(stage, short, `${DRAWN}.length > 0`);
  const open = await openLog(stage, long, `${TOTAL} > ${LINES} && ${DRAWN}.some((line) => line > ${LINES})`);
  return [
    row(`Open a log of ${shown(LINES)} lines by its link`, open, 'a log of few lines', brief.ms),
    ...(await measureJumps(stage, long)),
    await measureSearch(stage, 'one hit', `item=${LINES - 12_345})`, 1),
    await measureSearch(stage, `${shown(LINES)} hits`, 'is there already', LINES),
    ...(await measureScrolling(stage)),
    await measureFollow(stage),
  ];
};

export const logWindow: Measure = {
  name: 'log',
  title: 'The log window',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    const file = join(folder, 'lines');
    await writeLines(file, LINES);
    try {
      const rows = await withProduct(
        logRepository(file, FOLLOWED.linesPerSecond, FOLLOWED.seconds),
        async (measured) => {
          const [short, long] = [
            await measured.project.run(await measured.project.template('short.yml')),
            await measured.project.run(await measured.project.template('flood.yml')),
          ];
          await measured.feed.success(short.id);
          await measured.feed.success(long.id, FLOOD_LIMIT_MS);
          return ConsolePage.with(measured.client, (console) =>
            measureAll({ measured, console, file }, long.id, short.id),
          );
        },
      );
      return {
        rows,
        how: `Chromium, a window of 1280 × 800. Times are measured in the page, from the click, the jump or the last key to the frame that shows the text. A long task is one of the main thread of more than ${LONG_TASK_MS} ms, a late frame is one more than ${FRAME_GAP_MS} ms after the previous frame, and the heap contains the objects of the page after a garbage collection. A search starts 200 ms after the last key. The browser, the server, the runner and Ansible share the cores of the machine.`,
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
