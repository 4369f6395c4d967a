import { expect, it } from 'vitest';
import { TestClock } from './testing/test-clock.ts';
import { WorkerLoop, type WorkerLoopOptions } from './worker-loop.ts';

const makeLoop = (work: WorkerLoopOptions['work'], options: Partial<WorkerLoopOptions> = {}) => {
  const clock = new TestClock('2026-11-23T10:00:00Z');
  const errors: unknown[] = [];
  const loop = new WorkerLoop({ work, everyMs: 1000, onError: (error) => errors.push(error), clock, ...options });
  return { clock, errors, loop };
};

/** Work whose rounds end only when the test resolves their promises. */
const openWork = () => {
  const rounds: PromiseWithResolvers<undefined>[] = [];
  const work = (): Promise<undefined> => {
    const round = Promise.withResolvers<undefined>();
    rounds.push(round);
    return round.promise;
  };
  return { rounds, work };
};

it('a worker loop runs when it is started and then regularly, but not after it was stopped', async () => {
  let rounds = 0;
  const { clock, loop } = makeLoop(async () => {
    rounds += 1;
    return undefined;
  });
  loop.start();
  await loop.idle();
  clock.pass(999);
  await loop.idle();
  expect(rounds).toBe(1);
  clock.pass(1);
  await loop.idle();
  expect(rounds).toBe(2);
  await loop.stop();
  clock.pass(5000);
  loop.wake();
  await loop.idle();
  expect(rounds).toBe(2);
});

it('a worker loop waits `firstMs` before its first round, and after a round for the time that the round returned', async () => {
  let rounds = 0;
  const next = [10, 5000, undefined];
  const { clock, loop } = makeLoop(async () => next[rounds++], { firstMs: 300 });
  loop.start();
  await loop.idle();
  expect(rounds).toBe(0);
  for (const [ms, expected] of [
    [300, 1],
    [10, 2],
    [999, 2],
    [1, 3],
  ] as const) {
    clock.pass(ms);
    await loop.idle();
    expect(rounds).toBe(expected);
  }
});

it('a worker loop that is woken several times during a round runs one more round after it', async () => {
  const { rounds, work } = openWork();
  const { loop } = makeLoop(work);
  loop.wake();
  loop.wake();
  loop.wake();
  expect(rounds).toHaveLength(1);
  rounds[0]?.resolve(undefined);
  await expect.poll(() => rounds.length).toBe(2);
  rounds[1]?.resolve(undefined);
  await loop.idle();
  expect(rounds).toHaveLength(2);
});

it('a worker loop reports the error of a round and continues', async () => {
  const { clock, errors, loop } = makeLoop(() => Promise.reject(new Error('no')));
  loop.start();
  await loop.idle();
  clock.pass(1000);
  await loop.idle();
  expect(errors).toHaveLength(2);
});

it('a worker loop that is stopped aborts the current round and waits for its end', async () => {
  let signal: AbortSignal | undefined;
  let ended = false;
  const { loop } = makeLoop(async (given) => {
    signal = given;
    await new Promise((resolve) => given.addEventListener('abort', resolve));
    ended = true;
    return undefined;
  });
  loop.wake();
  expect(signal?.aborted).toBe(false);
  await loop.stop();
  expect(ended).toBe(true);
});
