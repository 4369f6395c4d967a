import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { isWholeRun } from '../testing/sample.ts';
import type { Installation } from '../tooling/product/equal-servers/installation.ts';
import { makeNextVersion } from '../tooling/product/equal-servers/next-version.ts';
import type { TestProject } from '../tooling/product/equal-servers/projects.ts';
import { type OpenPage, upgradeTest } from '../tooling/product/equal-servers/upgrade-test.ts';
import { signIn } from './console.ts';

const TASKS = 60;
const THIS_VERSION = join(import.meta.dirname, '..');

/** Opens the history before the upgrade. Afterwards it must show all tasks, and load more of its files. */
const openHistory =
  (page: Page) =>
  async ({ balancer, servers }: Installation, { project }: TestProject): Promise<OpenPage> => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await signIn(page, balancer.address, 'admin', servers[0]?.adminPassword ?? '');
    await page.goto(`${balancer.address}/project/${project.params.project_id}/history`);
    let loads = 0;
    page.on('load', () => {
      loads++;
    });
    return {
      end: async () => {
        const [newest] = await project.client.call('listTasks', { params: project.params, query: { limit: '1' } });
        await expect(page.locator(`[data-task="${newest?.id}"] [data-status="${newest?.status}"]`)).toBeVisible();
        expect(loads).toBeLessThanOrEqual(1);
        // The page checks for an upgrade when the user returns to it. Reloaded, it is one of the new version.
        await page.evaluate(() => window.dispatchEvent(new Event('focus')));
        await page.getByText('Signalbox was upgraded').waitFor();
        await page.getByRole('button', { name: 'Refresh Page' }).click();
        await expect(page.getByText('Signalbox was upgraded')).toBeHidden();
        await expect(page.locator(`[data-task="${newest?.id}"]`)).toBeVisible();
        return errors;
      },
    };
  };

// It takes some minutes, so only `npm run test:full` runs it.
if (isWholeRun())
  test(`[R1][R2][R6][R13] servers and runners are upgraded one after the other among ${TASKS} tasks: none is lost or runs twice, and an open page continues`, async ({
    page,
  }) => {
    test.setTimeout(1_200_000);
    const journal: string[] = [];
    // No release is part of the repository: a copy with another migration and another page stands for the next one.
    const to = makeNextVersion();
    try {
      const options = { from: THIS_VERSION, to, tasks: TASKS, print: (line: string) => void journal.push(line) };
      const wrong = await upgradeTest({ ...options, openPage: openHistory(page) });
      expect(wrong, journal.join('\n')).toEqual([]);
    } finally {
      rmSync(to, { recursive: true, force: true });
    }
  });
