import type { Product } from '../../tooling/product/product.ts';
import { SEEDED } from '../../tooling/product/seed-sql.ts';
import { type DatabaseKind, withStoredProduct } from '../../tooling/product/stored-product.ts';
import { compareWithBare, rowOf } from '../load.ts';
import type { Measure, Row } from '../measure.ts';
import { shown } from '../statistics.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const ROUNDS = { rounds: 3, seconds: 2 };
/**
 * Minimum ratio of requests with the large database to requests with the small one. Only the depth of the indexes and
 * noise may make a difference.
 */
const MIN_SHARE = 0.75;
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

/** Runs both servers at once and measures them in turn, so that other load on the machine affects both. */
const measureLists = (kind: DatabaseKind): Promise<Row[]> =>
  withStoredProduct(kind, { tasks: FEW, events: FEW }, (few) =>
    withStoredProduct(kind, { tasks: MANY, events: MANY }, async (many) => {
      const [fewCookie, manyCookie] = [(await few.client()).cookie, (await many.client()).cookie];
      const base = (product: Product) => `${product.address}/api/project/${SEEDED.projectId}`;
      const rows: Row[] = [];
      for (const [index, [what, path]] of listsOf(FEW).entries()) {
        const targets = [
          { url: `${base(few)}${path}`, cookie: fewCookie },
          { url: `${base(many)}${listsOf(MANY)[index]?.[1]}`, cookie: manyCookie },
        ];
        const found = await compareWithBare(targets, ROUNDS);
        const share = found.lastOfFirst;
        rows.push(rowOf(`${kind}: ${what}, of ${shown(FEW)}`, found, 0), {
          ...rowOf(`${kind}: ${what}, of ${shown(MANY)}`, found, 1),
          aim: `≥ ${MIN_SHARE} of the requests of ${shown(FEW)}: ${shown(share, 2)}`,
          isMet: share >= MIN_SHARE,
        });
      }
      return rows;
    }),
  );

export const lists: Measure = {
  name: 'lists',
  title: 'Lists of a million',
  run: async () => ({
    rows: [...(await measureLists('SQLite')), ...(await measureLists('PostgreSQL'))],
    how: `Two servers have databases with the named number of tasks and as many events, in 4 projects with 500 templates each, with 20 users, builds and deploys, and three statuses. Six of ten tasks are in the measured project. autocannon, 10 connections, ${ROUNDS.rounds} times ${ROUNDS.seconds} s each in turn: the small database, the large one, and the bare server, after one round to warm up. The aim is that a page of the large database takes as long as one of the small: the median of the pairs. PostgreSQL runs on the same machine with fsync off.`,
  }),
};
