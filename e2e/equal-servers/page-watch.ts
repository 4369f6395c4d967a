import { type Browser, chromium, type Page } from '@playwright/test';
import type { Witness } from '../../tooling/product/equal-servers/equal-servers-test.ts';
import type { Installation } from '../../tooling/product/equal-servers/installation.ts';
import type { TestProject } from '../../tooling/product/equal-servers/projects.ts';
import type { Product } from '../../tooling/product/product.ts';
import { signIn } from '../console.ts';
import { judgePage, type Seen } from './judge-page.ts';

/** Time between two reads of the statuses over the API, in milliseconds. */
const POLL_MS = 250;
const WINDOW = { width: 1000, height: 1400 };
/** Rows of the page of the history: the newest tasks. */
const ROWS = '20';

/** Records in the page when each status of each task is shown first. */
const RECORD = `
  const seen = (window.seenStatuses = {});
  new MutationObserver(() => {
    for (const row of document.querySelectorAll('[data-task]')) {
      const status = row.querySelector('[data-status]')?.getAttribute('data-status');
      if (status) seen[row.getAttribute('data-task') + ' ' + status] ??= Date.now();
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
`;

const openPage = async (browser: Browser, server: Product, projectId: number) => {
  const page = await browser.newPage({ viewport: WINDOW });
  page.setDefaultTimeout(120_000);
  await signIn(page, server.address, 'admin', server.adminPassword);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.addInitScript(RECORD);
  await page.goto(`${server.address}/project/${projectId}/history`);
  let loads = 0;
  page.on('load', () => {
    loads++;
  });
  return { page, errors, loads: () => loads };
};

const seenIn = async (page: Page): Promise<Map<string, number>> =>
  new Map(Object.entries(await page.evaluate(() => Reflect.get(window, 'seenStatuses') as Record<string, number>)));

/** The beginning of the text of a page, which shows an error or a dialog. */
const textOf = async (page: Page): Promise<string> => {
  const text =
    (await page
      .getByRole('main')
      .textContent({ timeout: 5000 })
      .catch(() => null)) ?? 'no content';
  return `${page.url()} ${text.replaceAll(/\s+/g, ' ').slice(0, 600)}`;
};

/** Opens the history of a project at each server in Chromium, and compares when statuses appear with the API. */
export const watchPages = async (installation: Installation, { project }: TestProject): Promise<Witness> => {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const id = project.params.project_id;
  const pages: Awaited<ReturnType<typeof openPage>>[] = [];
  for (const server of installation.servers) pages.push(await openPage(browser, server, id));
  const stored = new Map<string, Seen>();
  let isEnding = false;
  const poll = async (): Promise<void> => {
    while (!isEnding) {
      const query = { limit: ROWS };
      const tasks = await project.client.call('listTasks', { params: project.params, query }).catch(() => []);
      const now = Date.now();
      for (const { id: task, status } of tasks) {
        const key = `${task} ${status}`;
        stored.set(key, { from: stored.get(key)?.from ?? now, to: now });
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  const polling = poll();
  return {
    end: async (outages) => {
      // The newest statuses may still be on their way.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      isEnding = true;
      await polling;
      const wrong: string[] = [];
      const delays: number[] = [];
      for (const [server, { page, errors, loads }] of pages.entries()) {
        const judged = judgePage(server, stored, await seenIn(page), outages);
        wrong.push(...judged.wrong, ...errors.map((error) => `page ${server}: ${error}`));
        if (judged.wrong.length > 0) wrong.push(`page ${server} ended with: ${await textOf(page)}`);
        if (loads() > 0) wrong.push(`page ${server} was loaded ${loads()} times`);
        delays.push(...judged.delays);
      }
      await browser.close();
      const sorted = delays.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
      if (at(0.95) > 1000) wrong.push(`5% of the statuses were shown later than ${at(0.95)} ms`);
      const times = `median ${at(0.5)} ms, p95 ${at(0.95)} ms, maximum ${at(1)} ms`;
      return { wrong, summary: `${sorted.length} statuses on ${pages.length} pages outside of outages: ${times}` };
    },
  };
};
