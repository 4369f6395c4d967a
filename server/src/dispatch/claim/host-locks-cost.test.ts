import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { queueWithHosts } from '../../testing/database/host-lock-queue.ts';

const TASKS = 100;
const HOSTS = 4000;
const ROUNDS = 15;
/** Maximum processor time of a claim that compares hosts, as a multiple of the same claim without them. */
const MAX_RATIO = 8;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

describeEachDatabase(`a claim with ${TASKS} waiting tasks of ${HOSTS} hosts`, (makeLocation) => {
  it(`needs at most ${MAX_RATIO} times the processor time of one without hosts`, async () => {
    const [locked, free] = [await queueWithHosts(makeLocation), await queueWithHosts(makeLocation)];
    // Each list differs in one host from the one before, so no list is known from another task.
    const hosts = (n: number) => Array.from({ length: HOSTS }, (_, at) => `web-${at + n}.example.com`);
    for (let n = 0; n < TASKS; n += 1) await locked.wait({ hosts: hosts(n) });
    for (let n = 0; n < TASKS; n += 1) await free.wait({ locksHosts: false });
    /** Claims, and lets the tasks wait again. @returns milliseconds of processor time */
    const cost = async ({ claimOne, database: { autocommit } }: typeof locked) => {
      const before = process.cpuUsage();
      const claimed = await claimOne();
      const { user, system } = process.cpuUsage(before);
      expect(claimed).toHaveLength(1);
      await autocommit.updateTable('task').set({ runner_id: null }).execute();
      return (user + system) / 1000;
    };
    const rounds: [number, number][] = [];
    for (let n = 0; n <= ROUNDS; n += 1) rounds.push([await cost(locked), await cost(free)]);
    // The first claim reads the lists.
    const [ours, bare] = [0, 1].map((side) => median(rounds.slice(1).map((round) => round[side] ?? 0)));
    const ratio = (ours ?? 0) / (bare ?? 1);
    process.stdout.write(`A claim of hosts: ${ours} ms, without hosts ${bare} ms, ratio ${ratio.toFixed(1)}\n`);
    expect(ratio).toBeLessThan(MAX_RATIO);
  });
});
