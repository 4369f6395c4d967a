import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { signIn } from './console.ts';
import { floodFiles } from './flood.ts';

const LINES = 60_000;
/** Number of lines at which the flood ends even if the test fails. */
const MAX_LINES = 10 * LINES;
const BURST = 250;
/** Bandwidth of the viewer in kilobytes per second, far less than the flood needs. */
const LINE_KB = 100;
const CPU_TIMES_SLOWER = 4;
const USABLE_MS = 1_000;
const CLICKS = 10;

/** The file whose existence ends the flood. */
const ENOUGH = join(tmpdir(), `signalbox-enough-${randomUUID()}`);

/** Prints in bursts, about ten times as fast as the viewer can receive. */
const FILES = floodFiles(`first = 0
while first < ${LINES} or first < ${MAX_LINES} and not os.path.exists('${ENOUGH}'):
    lines = ('flood %06d \\x1b[0;32m%s\\x1b[0m\\n' % (n, 'the quick brown fox ' * 8) for n in range(first, first + ${BURST}))
    write(''.join(lines).encode())
    first += ${BURST}
    time.sleep(0.1)`);

const slowDown = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const throughput = LINE_KB * 1024;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 100,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_TIMES_SLOWER });
};

/** Milliseconds from the next mouse press to the frame in which a tab is selected, measured in the page. */
const timeToTab = (page: Page, tab: string): Promise<number> =>
  page.evaluate(
    (name) =>
      new Promise<number>((resolve) => {
        const isChosen = (): boolean =>
          [...document.querySelectorAll('[role="tab"][aria-selected="true"]')].some((one) =>
            one.textContent.startsWith(name),
          );
        const check = (since: number): void => {
          if (isChosen()) resolve(performance.now() - since);
          else requestAnimationFrame(() => check(since));
        };
        document.addEventListener('click', (event) => check(event.timeStamp), { once: true, capture: true });
      }),
    tab,
  );

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;

test(`a slow viewer of ${LINES} lines or more: the page stays usable, and the log is whole in the end`, async ({
  page,
}) => {
  test.setTimeout(600_000);
  const product = await Product.start();
  try {
    const client = await product.client();
    const project = await PlaybookProject.create(client, 'Flood', FILES);
    await product.runnerReady(client);
    const template = await project.template('flood.yml', { name: 'Flood' });
    await signIn(page, product.address, 'admin', product.adminPassword);
    const { id } = await project.run(template);
    await page.goto(`${product.address}/project/${project.params.project_id}/history?t=${id}&tab=log`);
    const dialog = page.getByRole('dialog');
    const box = dialog.locator('[data-total]');
    await expect(box).toContainText(/flood \d{6}/, { timeout: 120_000 });
    await slowDown(page);

    const clicks: number[] = [];
    for (let n = 0; n < CLICKS; n++) {
      const name = n % 2 === 0 ? 'Details' : 'Log';
      const took = timeToTab(page, name);
      await dialog.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
      clicks.push(Math.round(await took));
    }
    // The flood has not ended before this point.
    expect((await project.task(id)).status).toBe('running');
    writeFileSync(ENOUGH, '');
    expect((await project.ended(id, 300_000)).status).toBe('success');

    const log = await project.log(id);
    const numbers = log.flatMap((line) => /^flood (\d{6}) /.exec(line)?.[1] ?? []);
    expect(numbers.length).toBeGreaterThanOrEqual(LINES);
    expect(numbers.every((number, index) => Number(number) === index)).toBe(true);
    await expect(box).toHaveAttribute('data-total', String(log.length), { timeout: 120_000 });
    await expect(dialog.getByText('Success', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
    const scrollTo = (part: number) =>
      box.evaluate((element, to) => element.scrollTo(0, (element.scrollHeight - element.clientHeight) * to), part);
    await scrollTo(1);
    await expect(dialog.getByText(/localhost\s*:\s*ok=1/)).toBeVisible({ timeout: 60_000 });
    await scrollTo(0.5);
    await expect(async () => {
      const [first] = ((await box.textContent()) ?? '').match(/flood \d{6}/) ?? [];
      expect(Math.abs(Number(first?.slice(6)) / numbers.length - 0.5)).toBeLessThan(0.02);
    }).toPass({ timeout: 60_000 });
    test.info().annotations.push({ type: 'measured', description: `clicks: ${clicks.join(', ')} ms` });
    expect(median(clicks), clicks.join(', ')).toBeLessThan(USABLE_MS);
  } finally {
    writeFileSync(ENOUGH, '');
    await product.dispose();
    rmSync(ENOUGH);
  }
});
