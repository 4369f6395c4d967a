import { PlaybookProject } from '../../tooling/product/playbook-project.ts';
import { withTwoProducts } from '../../tooling/product/two-products.ts';
import { steadyRepository } from '../line-plugin.ts';
import { LiveFeed } from '../live-feed.ts';
import type { Measure } from '../measure.ts';
import { percentile, shown } from '../statistics.ts';
import { recordDelays } from './latency.ts';

const LINES_A_SECOND = 200;
const SECONDS = 15;
/** How much later a line may arrive at a page of the other server, in milliseconds. */
const AIM_MS = 100;

export const otherServer: Measure = {
  name: 'other-server',
  title: 'Latency of the log at another server',
  run: () =>
    withTwoProducts(async (first, second) => {
      const client = await first.client();
      const project = await PlaybookProject.create(client, 'Bench', steadyRepository(LINES_A_SECOND, SECONDS));
      await first.runnerReady(client);
      const feeds = [await LiveFeed.open(client), await LiveFeed.open(await second.client())] as const;
      const { id } = await project.run(await project.template('noisy.yml'));
      const [here, there] = feeds.map((feed) => recordDelays(feed, id));
      await Promise.all(feeds.map((feed) => feed.success(id)));
      for (const feed of feeds) feed.close();
      for (const delays of [here, there])
        if (delays?.length !== LINES_A_SECOND * SECONDS) throw new Error(`Only ${delays?.length} lines arrived.`);
      const [near, far] = [here ?? [], there ?? []];
      const later = percentile(far, 0.95) - percentile(near, 0.95);
      const p = (delays: readonly number[]) =>
        `${shown(percentile(delays, 0.5))} / ${shown(percentile(delays, 0.95))} ms`;
      return {
        rows: [
          {
            what: `Log latency at ${shown(LINES_A_SECOND)} lines/s, page at the other server than the runner (p50 / p95)`,
            result: p(far),
            baseline: p(near),
            ratio: `${shown(percentile(far, 0.5) / percentile(near, 0.5))}`,
            aim: `p95 at most ${AIM_MS} ms later`,
            isMet: later <= AIM_MS,
          },
        ],
        how: `Two servers share a PostgreSQL database (fsync off) on this machine. A callback plugin writes ${shown(LINES_A_SECOND)} lines per second for ${SECONDS} s, each with the time at which it was written. The runner is connected to the first server. A client at each server follows the task; the baseline is the client at the first one. Both received all ${shown(near.length)} lines in order. The server reads the lines that another one stored from the database, after a notice of PostgreSQL.`,
      };
    }),
};
