import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { signIn } from './console.ts';
import { floodFiles, playOf } from './flood.ts';

const LINES = 200_000;
const OPEN_MS = 1_000;
/** How much more time than a short log a long log may take to open. */
const LONGER = 2;
const TRIES = 3;
const TAB_BYTES = 200 * 1024 * 1024;

/** Prints as fast as possible when the play begins, like a program with much output. */
const FILES = {
  ...floodFiles(`text = ''.join('flood %06d \\x1b[0;32mthe quick brown fox\\x1b[0m\\n' % n for n in range(${LINES}))
write(text.encode())`),
  'short.yml': playOf('Short'),
};

/** Memory of the tab alone: the anonymous pages of its renderer process, after a garbage collection. */
const tabBytes = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const browser = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo } = (await browser?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] };
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) * 1024);
  return Math.max(...sizes);
};

/**
 * Milliseconds from the next click to the frame that shows a text. Measured in the page, so that no polling interval is
 * included.
 */
const timeToText = (page: Page, text: string): Promise<number> =>
  page.evaluate(
    (pattern) =>
      new Promise<number>((resolve) => {
        const shown = new RegExp(pattern);
        const check = (since: number): void => {
          const text = document.body.textContent ?? '';
          if (shown.test(text)) resolve(performance.now() - since);
          else requestAnimationFrame(() => check(since));
        };
        document.addEventListener('click', (event) => check(event.timeStamp), { once: true, capture: true });
      }),
    text,
  );

test(`a log of ${LINES} lines is stored whole, opens at once and scrolls anywhere`, async ({ page }) => {
  const product = await Product.start();
  try {
    const client = await product.client();
    const project = await PlaybookProject.create(client, 'Flood', FILES);
    const template = await project.template('flood.yml', { name: 'Flood' });
    const { id } = await project.run(template);
    expect((await project.ended(id)).status).toBe('success');
    const { id: shortId } = await project.run(await project.template('short.yml', { name: 'Short' }));
    expect((await project.ended(shortId)).status).toBe('success');
    const log = await project.log(id);
    const flood = log.flatMap((line) => /^flood (\d{6}) the quick brown fox$/.exec(line)?.[1] ?? []);
    expect(flood.length).toBe(LINES);
    expect(flood.every((number, index) => Number(number) === index)).toBe(true);

    await signIn(page, product.address, 'admin', product.adminPassword);
    await page.goto(`${product.address}/project/1/history`);
    let bytes = 0;
    page.on('response', async (response) => {
      if (response.url().includes('/lines')) bytes += (await response.body().catch(() => Buffer.alloc(0))).length;
    });
    const dialog = page.getByRole('dialog');
    const open = async (task: number): Promise<number> => {
      const opened = timeToText(page, 'localhost\\s*: ok=1');
      await page.getByRole('link', { name: `#${task}`, exact: true }).click();
      const took = await opened;
      await expect(dialog.getByText(/localhost\s*:\s*ok=1/)).toBeVisible();
      return took;
    };
    const close = async (): Promise<void> => {
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    };
    const times: Record<'short' | 'long', number[]> = { short: [], long: [] };
    for (let n = 0; n < TRIES; n++) {
      times.short.push(await open(shortId));
      await close();
      // Load the page again, so that it has no lines of the log in memory.
      await page.reload();
      times.long.push(await open(id));
      if (n < TRIES - 1) {
        await close();
        await page.reload();
      }
    }
    const [shortest, longest] = [Math.min(...times.short), Math.min(...times.long)];
    expect(longest).toBeLessThan(shortest * LONGER + 100);
    expect(longest).toBeLessThan(OPEN_MS);

    const box = dialog.locator('[data-total]');
    for (const part of [0, 0.5, 0.25, 0.9, 0.75, 0.1, 1]) {
      await box.evaluate(
        (element, to) => element.scrollTo(0, (element.scrollHeight - element.clientHeight) * to),
        part,
      );
      await expect(async () => {
        const numbers = ((await box.textContent()) ?? '').match(/flood \d{6}/g) ?? [];
        const share = Number(numbers[0]?.slice(6)) / LINES;
        expect(Math.abs(share - part)).toBeLessThan(0.01);
      }).toPass({ timeout: 5_000 });
    }
    expect(bytes).toBeLessThan(LINES * 30);
    const tab = await tabBytes(page);
    const measured = `opened after ${Math.round(longest)} ms, a short log after ${Math.round(shortest)} ms, ${Math.round(tab / 1e6)} MB in the tab, ${Math.round(bytes / 1e3)} kB of lines read`;
    test.info().annotations.push({ type: 'measured', description: measured });
    expect(tab).toBeLessThan(TAB_BYTES);
  } finally {
    await product.dispose();
  }
});
