import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRepository } from '../../tooling/product/playbook-project.ts';
import { INVENTORY, playBare, SHORT_PLAYBOOK } from '../bare-playbook.ts';
import type { Measure } from '../measure.ts';
import { type MeasuredProduct, withProduct } from '../measured-product.ts';
import { median, shown } from '../statistics.ts';

const AT_ONCE = 50;
const ROUNDS = 3;

/** Starts all runs at the same time. @returns milliseconds until the last has ended */
const ours = async ({ project, feed }: MeasuredProduct, template: number): Promise<number> => {
  const since = performance.now();
  const ends = Array.from({ length: AT_ONCE }, async () => (await feed.success((await project.run(template)).id)).at);
  return Math.max(...(await Promise.all(ends))) - since;
};

const bare = async (repository: string, args: readonly string[]): Promise<number> => {
  const since = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => playBare(repository, args)));
  return performance.now() - since;
};

export const parallelRuns: Measure = {
  name: 'parallel',
  title: `${AT_ONCE} short runs at once`,
  run: async () => {
    const files = { 'hello.yml': SHORT_PLAYBOOK };
    const repository = makeRepository(files);
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    const inventory = join(folder, 'inventory');
    writeFileSync(inventory, INVENTORY);
    const args = [`--inventory=${inventory}`, 'hello.yml'];
    const [product, baseline]: [number[], number[]] = [[], []];
    await withProduct(
      files,
      async (measured) => {
        const template = await measured.project.template('hello.yml', { allow_parallel_tasks: true });
        await measured.feed.success((await measured.project.run(template)).id);
        for (let round = 0; round < ROUNDS; round += 1) {
          baseline.push(await bare(repository, args));
          product.push(await ours(measured, template));
        }
      },
      { SIGNALBOX_RUNNER_SLOTS: String(AT_ONCE) },
    );
    for (const path of [repository, folder]) rmSync(path, { recursive: true, force: true });
    return {
      rows: [
        {
          what: `${AT_ONCE} short runs at once, first POST to the last final status (median)`,
          result: `${shown(median(product))} ms`,
          baseline: `${AT_ONCE} bare ansible-playbook at once, ${shown(median(baseline))} ms`,
          ratio: shown(median(product) / median(baseline), 3),
          aim: '–',
          isMet: undefined,
        },
      ],
      how: `A playbook that prints one message, ${ROUNDS} rounds in turn, on a runner with ${AT_ONCE} slots. Each run of Signalbox has its own fetch, clone, supervisor and log. The bare runs share one folder, and their output is discarded.`,
    };
  },
};
