import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { drawSample } from '../testing/sample.ts';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { expectAccessible, signIn } from './console.ts';

const WIDTHS = [390, 820, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;

const gate = join(mkdtempSync(join(tmpdir(), 'signalbox-gate-')), 'closed');

const FILES = {
  'wait.yml': `- name: Wait
  hosts: all
  gather_facts: false
  tasks:
    - name: Print something
      ansible.builtin.debug: {msg: hello}
    - name: Wait for the gate
      ansible.builtin.shell: while [ -e ${gate} ]; do sleep 0.05; done
`,
  'failing.yml': `- name: Add hosts
  hosts: localhost
  gather_facts: false
  tasks:
    - ansible.builtin.add_host: {name: "{{ item }}", groups: more, ansible_connection: local}
      loop: [web-1, web-2, web-3]
- name: Check
  hosts: more
  gather_facts: false
  tasks:
    - name: Check the certificate
      ansible.builtin.fail: {msg: "The certificate has expired."}
      when: inventory_hostname != 'web-2'
`,
};

/** Whether an element is completely inside the window and nothing covers it. */
const isInView = (page: Page, name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<boolean> =>
  page
    .getByRole(role, { name })
    .first()
    .evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && element.contains(middle);
    });

test('a task shows what runs, what failed and what to do, at every width, with mouse and keyboard', async ({
  page,
}) => {
  const product = await Product.start();
  try {
    const client = await product.client();
    const project = await PlaybookProject.create(client, 'Failing', FILES);
    const gone = await project.template('certs/renew.yml', { name: 'Renew certificates' });
    const failing = await project.template('failing.yml', { name: 'Check certificates' });
    const waiting = await project.template('wait.yml', { name: 'Wait' });
    await product.runnerReady(client);
    writeFileSync(gate, '');
    const running = await project.run(waiting);
    const [unprepared, failed] = [await project.run(gone), await project.run(failing)];
    await Promise.all([project.ended(unprepared.id), project.ended(failed.id)]);
    await signIn(page, product.address, 'admin', product.adminPassword);
    const at = (path: string) => page.goto(`${product.address}/project/${project.params.project_id}/${path}`);

    // The page names the running step although the step has printed nothing.
    await at(`tasks/${running.id}`);
    await expect(page.getByRole('button', { name: /^Wait for the gate/ })).toBeVisible();
    await expect(page.getByText(/Step 2, 1 host/)).toBeVisible();
    rmSync(gate);

    const variants = WIDTHS.flatMap((width) => SCHEMES.map((colorScheme) => ({ width, colorScheme })));
    for (const { width, colorScheme } of drawSample('variants of a failed task: summary', variants, 2)) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await at(`history?t=${unprepared.id}`);
      await expect(
        page.getByRole('heading', { name: 'Playbook certs/renew.yml is not in the repository' }),
      ).toBeVisible();
      expect(await isInView(page, 'Edit template', 'link'), `${width} ${colorScheme}`).toBe(true);
      await expectAccessible(page, `a task that was not prepared, ${width} ${colorScheme}`);

      await at(`history?t=${failed.id}`);
      const retry = page.getByRole('button', { name: 'Run on failed hosts (2 of 4)' });
      await expect(retry).toBeVisible();
      expect(await isInView(page, /^Run on failed hosts/), `${width} ${colorScheme}`).toBe(true);
      await expect(page.getByText('The certificate has expired.').first()).toBeVisible();
      await expect(page.getByRole('dialog').getByText(/^2 hosts: The certificate has expired\.$/)).toBeVisible();
      await expectAccessible(page, `a task with failed hosts, ${width} ${colorScheme}`);

      // The history shows the reasons and filters by one of them.
      await at('history?reason=playbook.missing');
      const rows = page.locator('tr[data-task]');
      await expect(rows).toHaveCount(1);
      await expect(rows).toContainText('Playbook certs/renew.yml is not in the repository');
      await expectAccessible(page, `the history of one reason, ${width} ${colorScheme}`);

      await at('templates');
      await expect(
        page.getByRole('row', { name: /Check certificates/ }).getByText('Failed', { exact: true }),
      ).toBeInViewport({
        ratio: 1,
      });
    }

    for (const width of drawSample('variants of a failed task: keyboard', WIDTHS, 1)) {
      await page.setViewportSize({ width, height: 844 });
      await at(`tasks/${failed.id}`);
      await page.getByRole('button', { name: /^Run on failed hosts/ }).press('Enter');
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText(`On 2 of 4 hosts of #${failed.id}`)).toBeVisible();
      await expect(dialog.getByRole('listitem')).toHaveText(['web-1', 'web-3']);
      await expect(dialog.getByLabel('Message')).toHaveValue(`Retry of #${failed.id} on 2 hosts`);
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();

      await page.getByRole('tab', { name: 'Log' }).click();
      const log = page.getByRole('region', { name: 'Log' });
      await log.waitFor();
      await page.keyboard.press('End');
      await expect(log).toBeFocused();
      await page.getByRole('tab', { name: 'Log' }).focus();
      await page.keyboard.press('Control+f');
      await expect(page.getByRole('searchbox', { name: 'Find in the log' })).toBeFocused();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Shift+?');
      await expect(dialog.getByText('First line of the log')).toBeVisible();
    }
  } finally {
    if (existsSync(gate)) rmSync(gate);
    await product.dispose();
  }
});
