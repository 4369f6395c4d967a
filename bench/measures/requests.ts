import { compareWithBare, rowOf } from '../load.ts';
import type { Measure, Row } from '../measure.ts';
import { type MeasuredProduct, withProduct } from '../measured-product.ts';

const TASKS = 50;
const TEMPLATES = 10;
const ROUNDS = 3;
const SECONDS = 4;

/** Stores tasks quickly: they end while they are prepared, because their playbook is missing. */
const storeTasks = async ({ project, feed }: MeasuredProduct): Promise<void> => {
  const templates: number[] = [];
  for (let number = 0; number < TEMPLATES; number += 1) templates.push(await project.template('missing.yml'));
  for (let number = 0; number < TASKS; number += 1) {
    const { id } = await project.run(templates[number % TEMPLATES] ?? 0, { message: `Task number ${number}` });
    await feed.end(id);
  }
};

const compare = async (measured: MeasuredProduct, what: string, path: string): Promise<Row> => {
  const { address, cookie } = measured.client;
  const url = `${address}/api/project/${measured.project.params.project_id}${path}`;
  const found = await compareWithBare([{ url, cookie }], { rounds: ROUNDS, seconds: SECONDS });
  return rowOf(`Requests/s of the ${what} (median)`, found);
};

export const requests: Measure = {
  name: 'requests',
  title: 'Requests a second',
  run: () =>
    withProduct({ 'readme.md': 'No playbook at all.\n' }, async (measured) => {
      await storeTasks(measured);
      return {
        rows: [
          await compare(measured, 'task list (50 tasks)', '/tasks/last?limit=50'),
          await compare(measured, `template list (${TEMPLATES} templates)`, '/templates'),
        ],
        how: `autocannon, 10 connections, ${ROUNDS} times ${SECONDS} s each in turn, after one that does not count. Ours reads the session, the right and the rows from the database at every request and serialises them through the contract's schema; the bare server has the same bytes ready in memory and does nothing else. The client shares the machine's cores with both.`,
      };
    }),
};
