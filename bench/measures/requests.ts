import { compareWithBare, rowOf } from '../load.ts';
import type { Measure, Row } from '../measure.ts';
import { type MeasuredProduct, withProduct } from '../measured-product.ts';

const TASKS = 50;
const TEMPLATES = 10;
const ROUNDS = 3;
const SECONDS = 4;

/** Creates ended tasks quickly: their preparation fails because the playbook is missing. */
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
        how: `autocannon, 10 connections, ${ROUNDS} times ${SECONDS} s each in turn, after one round to warm up. Signalbox reads the session and the permission from the database for every request; requests that wait at the same time share a read of the rows and an answer, which is serialized with the schema of the contract. The bare server has the same bytes in memory. The client shares the cores of the machine with both.`,
      };
    }),
};
