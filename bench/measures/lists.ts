import { SEEDED } from '../../tooling/product/seed-sql.ts';
import { type DatabaseKind, withStoredProduct } from '../../tooling/product/stored-product.ts';
import { type Comparison, compareWithBare, shownSpeed } from '../load.ts';
import type { Measure, Row } from '../measure.ts';
import { shown } from '../statistics.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const ROUNDS = { rounds: 3, seconds: 2 };
/** Of many, a page may come so much more slowly than of few: what is left is the depth of the indexes, and noise. */
const LEAST_SHARE = 0.75;
const PAGE = 200;

/** Every list, and every filter of the tasks. */
const listsOf = (stored: number): readonly (readonly [what: string, path: string])[] => [
  ['The newest 200 tasks', '/tasks/last'],
  ['200 tasks of one status', `/tasks?limit=${PAGE}&status=${SEEDED.status}`],
  ['200 tasks of one template', `/tasks?limit=${PAGE}&template_id=${SEEDED.templateId}`],
  ['200 tasks of one user', `/tasks?limit=${PAGE}&user_id=${SEEDED.userId}`],
  ['200 tasks half way back', `/tasks?limit=${PAGE}&before=${stored / 2}`],
  ['500 templates with their last tasks', '/templates'],
  ['The newest 200 events', '/events/last'],
];

const measureLists = (kind: DatabaseKind, stored: number): Promise<Comparison[]> =>
  withStoredProduct(kind, { tasks: stored, events: stored }, async (product) => {
    const { address, cookie } = await product.client();
    const found: Comparison[] = [];
    for (const [, path] of listsOf(stored)) {
      const url = `${address}/api/project/${SEEDED.projectId}${path}`;
      found.push(await compareWithBare({ url, cookie }, ROUNDS));
    }
    return found;
  });

const rowOf = (what: string, stored: number, { ours, bare, bytes }: Comparison, few?: Comparison): Row => {
  const share = few && ours.requests / few.ours.requests;
  return {
    what: `${what}, of ${shown(stored)}, ${shown(bytes / 1000, 1)} kB`,
    result: shownSpeed(ours),
    baseline: `bare node:http, ${shownSpeed(bare)}`,
    ratio: shown(ours.requests / bare.requests, 3),
    aim: share === undefined ? '–' : `≥ ${LEAST_SHARE} of the speed of ${shown(FEW)}: ${shown(share, 2)}`,
    isMet: share === undefined ? undefined : share >= LEAST_SHARE,
  };
};

export const lists: Measure = {
  name: 'lists',
  title: 'Lists of a million',
  run: async () => {
    const rows: Row[] = [];
    for (const kind of ['SQLite', 'PostgreSQL'] as const) {
      const few = await measureLists(kind, FEW);
      const many = await measureLists(kind, MANY);
      for (const [index, [what]] of listsOf(MANY).entries()) {
        const [small, large] = [few[index], many[index]];
        if (!small || !large) continue;
        rows.push(rowOf(`${kind}: ${what}`, FEW, small), rowOf(`${kind}: ${what}`, MANY, large, small));
      }
    }
    return {
      rows,
      how: `So many tasks and as many events are written into the database of a product: of 4 projects with 500 templates each, 20 users, builds and deploys, three statuses; six of ten are of the project that is asked. autocannon, 10 connections, ${ROUNDS.rounds} times ${ROUNDS.seconds} s each in turn with the bare server, after one that does not count. What must hold is that a page costs the same of many as of few. PostgreSQL runs on the same machine and waits for no disk; its share of the cores is not the server's.`,
    };
  },
};
