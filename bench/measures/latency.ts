import { steadyRepository } from '../line-plugin.ts';
import type { LiveFeed } from '../live-feed.ts';
import type { Measure } from '../measure.ts';
import { withProduct } from '../measured-product.ts';
import { percentile, shown } from '../statistics.ts';

const LINES_A_SECOND = 1000;
const SECONDS = 15;
const AIM_MS = 150;

/** Records how long each line takes from the plugin to a client that follows a task, by the number of the line. */
export const recordDelays = (feed: LiveFeed, id: number): readonly number[] => {
  const delays: number[] = [];
  feed.follow([id], ({ taskId, at, texts }) => {
    if (taskId !== id) return;
    for (const text of texts) {
      const [label, number, written] = text.split(' ');
      if (label !== 'LINE') continue;
      if (Number(number) !== delays.length)
        throw new Error(`Line ${number} arrived after ${delays.length} other lines.`);
      delays.push(at - Number(written) / 1e6);
    }
  });
  return delays;
};

export const latency: Measure = {
  name: 'latency',
  title: 'Latency of the log',
  run: async () => {
    let delays: readonly number[] = [];
    await withProduct(steadyRepository(LINES_A_SECOND, SECONDS), async ({ project, feed }) => {
      const template = await project.template('noisy.yml');
      const { id } = await project.run(template);
      delays = recordDelays(feed, id);
      await feed.success(id);
    });
    if (delays.length !== LINES_A_SECOND * SECONDS) throw new Error(`Only ${delays.length} lines arrived.`);
    const p95 = percentile(delays, 0.95);
    return {
      rows: [
        {
          what: `Log latency at ${shown(LINES_A_SECOND)} lines/s, write to live socket (p50 / p95)`,
          result: `${shown(percentile(delays, 0.5))} / ${shown(p95)} ms`,
          baseline: '–',
          ratio: '–',
          aim: `p95 < ${AIM_MS} ms`,
          isMet: p95 < AIM_MS,
        },
      ],
      how: `For ${SECONDS} s a callback plugin writes ${shown(LINES_A_SECOND)} lines per second. Each line contains the time at which it was written, in nanoseconds. A client that follows the task records when each line arrives: ${shown(delays.length)} lines, all in order, the slowest after ${shown(Math.max(...delays))} ms. Each line was stored and synced before it was sent to the client.`,
    };
  },
};
