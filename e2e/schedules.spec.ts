import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { expectAccessible, signIn } from './console.ts';
import { test } from './worker-product.ts';

const PLAYBOOK = '- hosts: all\n  gather_facts: false\n  tasks:\n    - debug: { msg: "scheduled" }\n';

test('a schedule is created, starts a task with its answers, is paused and is shown in the week', async ({
  page,
  product,
}) => {
  test.setTimeout(240_000);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'By schedule', { 'site.yml': PLAYBOOK });
  const template = await project.template('site.yml', {
    name: 'Patch',
    survey_vars: [{ name: 'wave', title: 'Wave', required: true }],
  });
  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.goto(`${product.address}/project/${project.params.project_id}/history`);
  await page.getByRole('link', { name: 'Schedules' }).click();
  await page.getByRole('button', { name: 'New schedule' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Every minute');
  await dialog.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: 'Patch' }).click();
  await dialog.getByRole('textbox', { name: 'Cron' }).fill('*/1 * * * 8');
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  // The page checks the answers, the server the cron.
  await expect(dialog.getByText('Wave is required')).toBeVisible();
  await dialog.getByLabel('Wave').fill('first');
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  await expect(dialog.getByText(/day of the week must be/).first()).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Cron' }).fill('* * * * *');
  await expectAccessible(page, 'the form of a schedule');
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole('row', { name: /Every minute/ });
  await expect(row).toContainText('Every minute');
  // The page follows the schedule without a reload: the first task appears among the last ten.
  await expect(row.getByRole('img', { name: /^Last ten tasks/ })).toBeVisible({ timeout: 100_000 });
  const params = { ...project.params, template_id: template };
  const task = (await client.call('listTemplateTasks', { params })).at(-1);
  expect(task).toMatchObject({ environment: '{"wave":"first"}', schedule_name: 'Every minute' });
  await row.getByRole('switch', { name: 'Active: Every minute' }).focus();
  await page.keyboard.press('Space');
  await expect(row).toContainText('Paused');
  // In a freeze window, a start by hand needs a reason.
  await page.getByRole('button', { name: 'New freeze window' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Campaign');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Launch of the campaign');
  await dialog.getByLabel('From').fill('2020-01-01T00:00');
  await dialog.getByLabel('To').fill('2090-01-01T00:00');
  await dialog.getByRole('button', { name: 'Save freeze window' }).click();
  await expect(page.getByRole('region', { name: 'Freeze windows' })).toContainText('Launch of the campaign');
  await row.getByRole('link', { name: 'Run Every minute now' }).click();
  await expect(dialog.getByText(/^The freeze window Campaign is active until/)).toBeVisible();
  await expect(dialog.getByLabel('Wave')).toHaveValue('first');
  await dialog.getByRole('button', { name: /^Run/ }).click();
  await dialog.getByLabel('Reason for the start now').fill('The disk is full');
  await expectAccessible(page, 'the new task dialog in a freeze window');
  await dialog.getByRole('button', { name: /^Run/ }).click();
  await expect(dialog.getByRole('tab', { name: 'Details' })).toBeVisible();
  expect((await client.call('listTemplateTasks', { params }))[0]).toMatchObject({
    freeze_window: 'Campaign',
    freeze_reason: 'The disk is full',
    environment: '{"wave":"first"}',
  });
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Week' }).click();
  await expect(page.getByRole('link', { name: /^Every minute/ }).first()).toBeVisible();
  await expect(page.getByRole('table', { name: 'Schedules' })).toHaveCount(0);
  await expectAccessible(page, 'the week of schedules');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const today = page.getByRole('region', { name: 'Week' }).locator('[aria-current=date]');
  await expect(today).toBeInViewport({ ratio: 0.1 });
  const scroll = await today.evaluate((column) => column.parentElement?.parentElement?.scrollLeft ?? 0);
  expect(scroll > 0).toBe(new Date().getDay() !== 1);
});
