import { expect } from '@playwright/test';
import type { Task } from '@signalbox/contract';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { until } from '../tooling/product/product.ts';
import { signIn } from './console.ts';
import { test } from './worker-product.ts';

const STEPS = ['Prepare', 'Copy', 'Install', 'Configure', 'Restart', 'Check'];
/** Seconds of each step on `web-2`, for which the other host waits. */
const SLOW = 2.5;
const FILES = {
  'site.yml': `- name: Hosts
  hosts: all
  gather_facts: false
  tasks:
    - name: Add hosts
      ansible.builtin.add_host:
        name: "{{ item }}"
        groups: web
        ansible_connection: local
        ansible_python_interpreter: "{{ ansible_playbook_python }}"
      loop: [web-1, web-2]
- name: Site
  hosts: web
  gather_facts: false
  tasks:
${STEPS.map((name) => `    - name: ${name}\n      ansible.builtin.command: sleep {{ ${SLOW} if inventory_hostname == 'web-2' else 1 }}\n`).join('')}`,
};

/** What the server answered about a running task, by its own clock. */
type Sample = Pick<Task, 'expected_end'> & { readonly at: number };

/** Follows a task to its end. */
const follow = async (project: PlaybookProject, id: number) => {
  const samples: Sample[] = [];
  const task = await until(
    'the end of the task',
    async () => {
      const at = Date.now();
      const answer = await project.client.call('getTask', { params: { ...project.params, task_id: id } });
      samples.push({ at, expected_end: answer.expected_end });
      return answer.end === null ? undefined : answer;
    },
    120_000,
  );
  return { samples, task };
};

/** The error of the expected end at a part of a run, in percent of its length. */
const errorAt = (share: number, samples: readonly Sample[], { start, end }: Task): number => {
  const [from, to] = [Date.parse(start ?? ''), Date.parse(end ?? '')];
  const moment = from + share * (to - from);
  const [nearest] = samples
    .filter((sample) => sample.expected_end !== null)
    .toSorted((a, b) => Math.abs(a.at - moment) - Math.abs(b.at - moment));
  const expected = Date.parse(nearest?.expected_end ?? '');
  return Math.round((1000 * Math.abs(expected - to)) / (to - from)) / 10;
};

test('the seventh run of a regular playbook ends when it is expected to, and its timeline shows who waited', async ({
  page,
  product,
}) => {
  test.setTimeout(600_000);
  const project = await PlaybookProject.create(await product.client(), 'Shop', FILES);
  const template = await project.template('site.yml', { name: 'Site' });
  for (let count = 0; count < 6; count += 1)
    expect((await project.ended((await project.run(template)).id, 120_000)).status).toBe('success');
  await signIn(page, product.address, 'admin', product.adminPassword);
  const { id } = await project.run(template);
  await page.goto(`${product.address}/project/${project.params.project_id}/tasks/${id}`);
  const [{ samples, task }] = await Promise.all([
    follow(project, id),
    expect(page.getByText(/^0:\d\d of 0:\d\d that this step usually takes, \d+%$/)).toBeVisible(),
  ]);
  const errors = [0.25, 0.5, 0.75].map((share) => errorAt(share, samples, task));
  console.info(`error of the expected end at 25, 50 and 75 % of the run: ${errors.join(', ')} %`);
  // One step that a busy machine delays must not fail the test.
  expect(errors.toSorted((a, b) => a - b)[1]).toBeLessThan(15);

  await page.getByRole('tab', { name: 'Timeline' }).click();
  const chart = page.getByRole('group', { name: /^Hosts by time/ });
  await chart.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText(/^web-2 worked on “Prepare” for /)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText(/^web-1 worked on “Prepare” for .*, then waited .* for web-2\.$/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Result' })).toContainText('web-1');
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(page.getByRole('row', { name: /^Copy .* web-2 / })).toBeVisible();
  await page.goto(`${product.address}/project/${project.params.project_id}/templates/${template}`);
  await expect(page.getByRole('table', { name: 'Slowest hosts' })).toContainText('web-2');
});
