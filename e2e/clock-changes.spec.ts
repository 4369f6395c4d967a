import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { signIn } from './console.ts';
import { test } from './worker-product.ts';

const PLAYBOOK = '- hosts: all\n  gather_facts: false\n  tasks: []\n';

/** The day of the month of the last Sunday of March (2) or October (9), when the clocks of Berlin change. */
const lastSunday = (year: number, month: number): number => {
  const last = new Date(Date.UTC(year, month + 1, 0));
  return last.getUTCDate() - last.getUTCDay();
};

/** The years of the next clock change in each direction. */
const nextChanges = () => {
  const next = (month: number) => {
    const now = new Date();
    const year = now.getUTCFullYear();
    const day = lastSunday(year, month);
    return Date.UTC(year, month, day - 1) > now.getTime()
      ? { year, day }
      : { year: year + 1, day: lastSunday(year + 1, month) };
  };
  return { spring: next(2), autumn: next(9) };
};

test.use({ timezoneId: 'America/New_York', locale: 'en-GB' });

test('a schedule in another zone shows its due times across both changes of the clocks', async ({ page, product }) => {
  test.setTimeout(120_000);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Clocks', { 'site.yml': PLAYBOOK });
  const template_id = await project.template('site.yml', { name: 'Back up' });
  const { spring, autumn } = nextChanges();
  // 2:30 does not exist on the day of spring, and exists twice on the day of autumn.
  const days = [...new Set([spring.day - 1, spring.day, autumn.day])].toSorted((a, b) => a - b);
  await client.call('createSchedule', {
    params: project.params,
    body: {
      ...{ template_id, name: 'At night', own_timezone: 'Europe/Berlin' },
      cron_format: `30 2 ${days.join(',')} 3,10 *`,
    },
  });
  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.goto(`${product.address}/project/${project.params.project_id}/schedules`);
  await page.getByRole('button', { name: 'Next runs of At night' }).press('Enter');
  const times = page.getByRole('list', { name: 'Next five runs' }).getByRole('listitem');
  await expect(times).toHaveCount(5);
  const texts = await times.allTextContents();
  const of = (month: string, day: number) => texts.find((text) => new RegExp(`\\b${day} ${month}`).test(text)) ?? '';
  expect(of('Mar', spring.day - 1)).toMatch(/02:30in Berlin.*21:30 for you/);
  expect(of('Mar', spring.day)).toMatch(/03:00in Berlin.*21:00 for you.*The clocks change in Berlin/);
  if (texts.some((text) => text.includes('Oct'))) expect(texts.join()).toMatch(/Oct, 02:30in Berlin/);
  expect(texts.filter((text) => text.includes('The clocks change in Berlin')).length).toBeGreaterThan(0);
});
